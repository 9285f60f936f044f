import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { largestGivenImage } from '../../base/givenImage';
import type { Log } from '../../base/log';
import { nodeDisk } from '../../files/disk';
import { leadsOut } from '../../files/folder';
import { sidecarEnding, type FileMetadata, fileMetadataOf } from '../../files/provenance';
import { type Given, givenFrom } from '../../renderFiles/givenFiles';
import type { ProjectImages } from '../../renderFiles/states';
import { readable } from '../rendering/fileOrigin';

/** What is known of more images isn't kept: those used longest ago are then read again. */
const mostKept = 5_000;

/** The images of a workspace folder, on any file system. Each is read again only after it has changed. */
export function projectImagesIn(folder: vscode.Uri, log: Log): ProjectImages {
  const [tellings, images] = [new Kept<FileMetadata | undefined>(), new Kept<Given>()];
  return {
    names: async (below) => {
      try {
        return (await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, below))).map(([name]) => name);
      } catch (error) {
        const isNone = error instanceof vscode.FileSystemError && /^FileNot(Found|ADirectory)$/.test(error.code);
        if (isNone) return [];
        throw error;
      }
    },
    metadata: async (file) => {
      const uri = vscode.Uri.joinPath(folder, file);
      const stamps = await Promise.all([uri, uri.with({ path: uri.path + sidecarEnding })].map(stampOf));
      return tellings.get(file, stamps.join(' '), async () => fileMetadataOf(await readable(uri, log), systemClock));
    },
    given: async (file) => {
      const uri = vscode.Uri.joinPath(folder, file);
      try {
        const stamp = await stampOf(uri);
        return await (stamp === '' ? readGiven(folder, uri) : images.get(file, stamp, () => readGiven(folder, uri)));
      } catch {
        return { why: 'unreadable' };
      }
    },
  };
}

/** The same for one reading of a render file, whose entries may all be given the same image: it’s looked at once. */
export function lookedAtOnce(images: ProjectImages): ProjectImages {
  const known = new Map<string, Promise<Given>>();
  return {
    ...images,
    given: (file) => {
      const given = known.get(file) ?? images.given(file);
      known.set(file, given);
      return given;
    },
  };
}

/** What was read from files, each with the stamp that its file had. */
class Kept<T> {
  private readonly known = new Map<string, { readonly stamp: string; readonly read: Promise<T> }>();

  /** Reads it if the file has another stamp now, or couldn't be read. */
  get(file: string, stamp: string, read: () => Promise<T>): Promise<T> {
    const before = this.known.get(file);
    this.known.delete(file);
    const kept = before?.stamp === stamp ? before : { stamp, read: read() };
    this.known.set(file, kept);
    void kept.read.catch(() => this.known.get(file) === kept && this.known.delete(file));
    for (const oldest of this.known.keys()) {
      if (this.known.size <= mostKept) break;
      this.known.delete(oldest);
    }
    return kept.read;
  }
}

async function readGiven(folder: vscode.Uri, uri: vscode.Uri): Promise<Given> {
  const { fs } = vscode.workspace;
  let found: vscode.FileStat;
  try {
    found = await fs.stat(uri);
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return { why: isMissing ? 'missing' : 'unreadable' };
  }
  const { type, size } = found;
  if ((type & vscode.FileType.Directory) !== 0) return { why: 'folder' };
  if ((type & vscode.FileType.File) === 0) return { why: 'unreadable' };
  if (folder.scheme === 'file' && (await leadsOut(nodeDisk, folder.fsPath, uri.fsPath))) return { why: 'outside' };
  if (size > largestGivenImage) return { why: 'tooLarge', bytes: size };
  return givenFrom(vscode.workspace.asRelativePath(uri), await fs.readFile(uri), systemClock);
}

/** Differs after the file was written; empty when it doesn't exist. */
async function stampOf(file: vscode.Uri): Promise<string> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(file);
    return `${mtime}:${size}`;
  } catch {
    return '';
  }
}
