import * as vscode from 'vscode';
import { largestPicture } from '../../files/pictureSize';
import { UserError } from '../../editor/userError';
import type { Log } from '../../base/log';
import { plain } from '../../base/plain';
import { formatSize } from '../../base/size';
import { fileNameOf } from '../../files/fileName';
import { readUpTo } from '../../editor/readUpTo';

/** The part of the built-in Git extension's API that is used. */
interface GitApi {
  getRepository(uri: vscode.Uri): Repository | null;
  openRepository(root: vscode.Uri): Promise<Repository | null>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface Repository {
  /** `size` is in bytes. Rejects for files that aren't in the tree. */
  getObjectDetails(treeish: string, path: string): Promise<{ readonly size: number }>;
}

/** The beginning of a Git LFS pointer file. */
const largeFilePointer = 'version https://git-lfs.github.com/spec/';
/** Every Git LFS pointer file is smaller, bytes. */
const largestPointer = 1024;

/** The URI for a file's version in HEAD. Rejects with UserError when there is no such version, or no Git. */
export async function inGitHead(file: vscode.Uri): Promise<vscode.Uri> {
  const git = await gitApi();
  const name = plain(fileNameOf(file.toString()), 60);
  if (!git) {
    throw new UserError(
      vscode.l10n.t('Git isn’t available. The Git extension is disabled, or this window can’t access it.'),
    );
  }
  // Git may still be discovering the repositories of the open folders.
  const repository =
    git.getRepository(file) ?? (await git.openRepository(vscode.Uri.joinPath(file, '..'))) ?? git.getRepository(file);
  if (!repository) throw new UserError(vscode.l10n.t('“{0}” isn’t in a Git repository.', name));
  const { size } = await repository.getObjectDetails('HEAD', file.fsPath).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t('“{0}” isn’t in the last commit, so there’s nothing to compare it with.', name), {
      cause: error,
    });
  });
  const head = git.toGitUri(file, 'HEAD');
  if (size > largestPointer || !(await isPointer(head))) return head;
  throw new UserError(
    vscode.l10n.t(
      'The last commit has only a Git LFS pointer for “{0}”, so there’s no image to compare it with.',
      name,
    ),
  );
}

/** The bytes of that version. Rejects with UserError when it's too large to be copied out of Git. */
export async function bytesInGit(head: vscode.Uri, log: Pick<Log, 'warn'>): Promise<Uint8Array> {
  const bytes = await readUpTo(head, largestPicture, log);
  if (bytes) return bytes;
  throw new UserError(
    vscode.l10n.t(
      'The last commit’s version of “{0}” can’t be shown: it’s larger than {1}. Save it as a file, then use “Compare Images”.',
      plain(fileNameOf(head.path), 60),
      formatSize(largestPicture, vscode.env.language),
    ),
  );
}

async function isPointer(head: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(head);
  return new TextDecoder().decode(bytes.subarray(0, largeFilePointer.length)) === largeFilePointer;
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>(
    'vscode.git',
  );
  const git = await extension?.activate();
  return git?.enabled === true ? git.getAPI(1) : undefined;
}
