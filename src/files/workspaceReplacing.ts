import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import type { Replacing } from './replacement';
import type { WorkspaceFiles } from './workspaceSink';

/** The editor's files, as far as one can be put in the place of another; errors carry the `code` of `vscode.FileSystemError`. */
export interface ReplaceableFiles extends WorkspaceFiles {
  /** Without overwriting: `FileExists` when something has the name. */
  copy(from: string, to: string): Promise<void>;
  /** Renames, over what has the name. */
  replace(from: string, to: string): Promise<void>;
}

/** Replacing in file systems of any scheme, through the editor: as whole as each of them can. */
export function workspaceReplacing(files: ReplaceableFiles): Replacing {
  return {
    read: async (file) => {
      try {
        const { kind, link } = await files.stat(file);
        if (kind !== 'file' || link) throw new FileProblem('notWritable', `${file} is not a plain file`);
        return await files.readFile(file);
      } catch (error) {
        if (codeOf(error) === 'FileNotFound') return undefined;
        throw problemOf(error);
      }
    },
    keep: async (file, name) => {
      try {
        await files.copy(file, name);
        return true;
      } catch (error) {
        if (codeOf(error) === 'FileExists') return false;
        throw problemOf(error);
      }
    },
    write: async (file, bytes) => {
      await onDisk(files.writeFile(file, bytes));
      // There are file systems that say yes and keep nothing, or a part.
      const kept = await onDisk(files.readFile(file));
      if (!Buffer.from(kept).equals(bytes)) throw new FileProblem('notWritable', `${file} was not kept whole`);
    },
    swap: (written, file) => onDisk(files.replace(written, file)),
    remove: async (file) => {
      try {
        await files.delete(file);
      } catch (error) {
        if (codeOf(error) !== 'FileNotFound') throw problemOf(error);
      }
    },
  };
}
