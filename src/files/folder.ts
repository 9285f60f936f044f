import { folded, isDevice } from './names';
import { FileProblem } from './problem';

/**
 * True for a folder in which nothing is saved: editors and tools act on those that begin with a dot, and programs run
 * what's in `node_modules`.
 */
export function isReserved(segment: string): boolean {
  return segment.startsWith('.') || folded(segment) === 'node_modules';
}

/**
 * A folder inside the workspace folder, from a setting: segments joined by `/`; '' is the workspace folder itself.
 * Keeps the Unicode form, which may be that of an existing folder (see `nameThere`). Throws FileProblem `outsideFolder`
 * for anything outside: absolute paths, drives, servers, `~`, `..`, variables; and for reserved folders.
 */
export function safeFolder(setting: string): string {
  const text = setting.trim();
  if (/^[/\\]/.test(text)) throw new FileProblem('outsideFolder', setting);
  const segments = text.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
  if (segments.some((segment) => unsafe(segment) || unsafe(segment.normalize('NFC'))))
    throw new FileProblem('outsideFolder', setting);
  return segments.join('/');
}

function unsafe(segment: string): boolean {
  return (
    isReserved(segment) ||
    segment.startsWith('~') ||
    // Short names on Windows can mean `.git`; a system that drops trailing dots and spaces sees another name.
    /~\d|[ .]$|^ /.test(segment) ||
    /\$[\w{(]|%[^%]+%/.test(segment) ||
    /[<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(segment) ||
    isDevice(segment) ||
    Buffer.byteLength(segment) > 255
  );
}
