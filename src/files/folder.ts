import { isDevice } from './names';
import { FileProblem } from './problem';

/**
 * A folder inside the workspace folder, from a setting: segments joined by `/`, '' is the workspace folder itself.
 * Their Unicode form stays: it is that of the folder on disk where there is one (see `nameThere`). Throws FileProblem
 * `outsideFolder` for what leads elsewhere: absolute paths, drives, servers, `~`, `..`, variables; and for folders that
 * editors and tools act upon, which begin with a dot.
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
    segment.startsWith('.') ||
    segment.startsWith('~') ||
    // Short names of Windows can mean `.git`; a system that drops trailing dots and spaces sees another name.
    /~\d|[ .]$|^ /.test(segment) ||
    /\$[\w{(]|%[^%]+%/.test(segment) ||
    /[<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(segment) ||
    isDevice(segment) ||
    Buffer.byteLength(segment) > 255
  );
}
