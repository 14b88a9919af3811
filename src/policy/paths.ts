// Which files may be touched: those below the allowed folders. Pure: the engine resolves links before it asks.
import path, { type PlatformPath } from 'node:path';
import { type Failure, refusedBy } from '../errors.ts';

/** Is this real path one of the folders, or below one of them? All are absolute, links resolved. */
export function isInside(real: string, folders: readonly string[], style: PlatformPath = path): boolean {
  return folders.some(folder => {
    const relative = style.relative(folder, real);
    return relative !== '..' && !relative.startsWith(`..${style.sep}`) && !style.isAbsolute(relative);
  });
}

/** The Failure for a path outside the allowed folders. */
export const outsideFolders = (given: string, doing: 'read' | 'write', folders: readonly string[]): Failure =>
  refusedBy(
    `${doing} only below the allowed folders`,
    `The path ${JSON.stringify(given.slice(0, 200))} is refused: rule "${doing} only below the allowed folders".`,
    `Use a path below ${folders.join(' or ')}; a relative path counts from ${folders[0]}.${doing === 'read' ? ' The server is told of more folders by --upload-dirs.' : ''}`,
  );

/** Why a path is malformed, before the disk is read; undefined when it is well-formed. */
export function malformedPath(given: string, platform: NodeJS.Platform): string | undefined {
  if (given.trim() === '') return 'it is empty';
  if (given.includes('\0')) return 'it holds a NUL character';
  if (platform !== 'win32') return /^[a-z]:[\\/]|^\\\\/i.test(given) ? 'it is a Windows path' : undefined;
  if (/^[\\/]{2}[.?][\\/]/.test(given)) return 'it names a device';
  if (/^[a-z]:(?![\\/])/i.test(given)) return 'it has a drive but no folder';
  if (given.replace(/^[a-z]:/i, '').includes(':')) return 'it has a colon inside';
  return undefined;
}
