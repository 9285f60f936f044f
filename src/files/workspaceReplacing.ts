import type { Clock } from '../base/clock';
import { hashed } from './hashed';
import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import { largestReplaced, type Found, type Replacing } from './replacement';
import type { WorkspaceEntry, WorkspaceFiles } from './workspaceSink';

/** The editor's file operations for replacing; errors carry the `code` of `vscode.FileSystemError`. */
export interface ReplaceableFiles extends WorkspaceFiles {
  stat(uri: string): Promise<WorkspaceEntry & { readonly readOnly?: boolean }>;
  /** Without overwriting: `FileExists` when the name is taken. The copy has the same permissions. */
  copy(from: string, to: string): Promise<void>;
  /** Renames over an existing file; some file systems delete that first. */
  replace(from: string, to: string): Promise<void>;
}

/** Replacing in file systems of any scheme, through the editor: as atomically as each of them can. */
export function workspaceReplacing(files: ReplaceableFiles, clock: Clock): Replacing {
  const read = async (file: string): Promise<Found | undefined> => {
    try {
      const { kind, link, size, readOnly = false } = await files.stat(file);
      if (kind !== 'file' || link) throw new FileProblem('notWritable', `${file} isn’t a regular file`);
      if (size > largestReplaced) throw new FileProblem('tooLargeThere', `${size} bytes`);
      const whole = await hashed(await files.readFile(file), clock);
      // Not every file system states anything else that changes with each write.
      return { ...whole, stamp: whole.sha256, isReadOnly: readOnly };
    } catch (error) {
      if (codeOf(error) === 'FileNotFound') return undefined;
      throw problemOf(error);
    }
  };
  return {
    read,
    write: async (file, bytes, like) => {
      // A copy of the other file has its permissions, and keeps them when written to. If they forbid writing, it isn't
      // copied.
      if (like !== undefined && (await onDisk(files.stat(like))).readOnly !== true)
        await onDisk(files.copy(like, file));
      else if (await read(file)) throw new FileProblem('notWritable', `${file} already exists`);
      await onDisk(files.writeFile(file, bytes));
    },
    take: async (written, name) => {
      try {
        await files.rename(written, name);
        return true;
      } catch (error) {
        if (codeOf(error) === 'FileExists') return false;
        throw problemOf(error);
      }
    },
    swap: async (written, file, { stamp }) => {
      if ((await read(file))?.stamp !== stamp) return false;
      await onDisk(files.replace(written, file));
      return true;
    },
    remove: async (file, found) => {
      try {
        if (found && (await read(file))?.stamp !== found.stamp) return;
        await files.delete(file);
      } catch (error) {
        if (codeOf(error) !== 'FileNotFound') throw problemOf(error);
      }
    },
  };
}
