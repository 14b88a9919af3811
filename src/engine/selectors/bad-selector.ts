// The failure for a selector that cannot be read.
import { Failure } from '../../errors.ts';
import { noun, phrase, refName } from '../../text.ts';

export const badSelector = (description: string, why: string): Failure =>
  new Failure(
    'bad_input',
    `${description} cannot be read as a selector: ${why.slice(0, 200)}`,
    phrase`Use a ${noun('ref')} such as ${refName(5)}, role:button, text:Save, CSS, or xpath=….`,
  );
