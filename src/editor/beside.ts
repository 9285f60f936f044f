import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import type { Log } from '../base/log';
import { systemRandom } from '../base/random';
import { besideFiles } from '../files/besideFiles';
import { hashed } from '../files/hashed';
import { sidecarEnding } from '../files/provenance';
import type { Beside } from '../files/sidecars';
import { largestFile, largestSidecar } from '../files/telling';
import { readUpTo } from './readUpTo';
import { replacing } from './replacing';
import { trash } from './workspaceFiles';

/** The sidecar file's URI, whether it exists or not. */
export function besideOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: file.path + sidecarEnding });
}

/** The file asked about; for a sidecar file the file it describes. */
export function subjectOf(uri: vscode.Uri): vscode.Uri {
  return uri.path.endsWith(sidecarEnding) ? uri.with({ path: uri.path.slice(0, -sidecarEnding.length) }) : uri;
}

/** The text of a sidecar file; undefined if it doesn't exist or is too large. Rejects when it can't be read. */
export async function readBeside(file: vscode.Uri, log: Log): Promise<string | undefined> {
  const bytes = await readUpTo(besideOf(file), largestSidecar, log);
  return bytes && new TextDecoder().decode(bytes);
}

/** Sidecar files in the editor's file systems. */
export function editorBeside(log: Log): Beside {
  const places = { besideOf: (file: string) => besideOf(vscode.Uri.parse(file)).toString(), replacing, trash };
  return {
    ...besideFiles(places, systemClock, systemRandom),
    read: (file) => readBeside(vscode.Uri.parse(file), log),
    sha256: async (file) => {
      const bytes = await readUpTo(vscode.Uri.parse(file), largestFile, log);
      return bytes && (await hashed(bytes, systemClock)).sha256;
    },
  };
}
