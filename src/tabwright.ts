// The command tabwright. A tool on the user's server takes the short way, which loads this file only; all else is in main.ts.
import { quickly } from './surfaces/socket/quick.ts';

if (!(await quickly(process.argv.slice(2)))) await import('./main.ts');
