import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { warnOnce } from '../../base/warnOnce';
import { Turns } from '../../base/turns';
import { generatedPatterns } from '../../documents/generatedFolders';
import { Ignored } from '../../documents/ignored';
import { pathIn } from './filesThere';
import { relativePath } from '../../editor/readUpTo';
import { smallText } from '../../editor/smallText';

/** The files found by a search. */
export interface SearchedFiles {
  readonly uris: readonly vscode.Uri[];
  /** There may be more. */
  readonly isCut: boolean;
}

/** The most files found before `.gitignore` applies. */
const mostFound = 20_000;

/**
 * Files that match a pattern, below a folder or in all open folders, at most `most`. Leaves out what the person
 * excludes from searches or hides in the Explorer, what `.gitignore` lists, and generated folders.
 */
export async function searchedFiles(
  glob: string,
  where: vscode.Uri | undefined,
  most: number,
  log: Pick<Log, 'warn'>,
  token?: vscode.CancellationToken,
): Promise<SearchedFiles> {
  const pattern = where ? new vscode.RelativePattern(where, glob) : glob;
  const found = await vscode.workspace.findFiles(pattern, notSearched(where), mostFound + 1, token);
  const sorted = found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, mostFound);
  const usesIgnoreFiles = vscode.workspace.getConfiguration('search', where).get<boolean>('useIgnoreFiles', true);
  const kept = usesIgnoreFiles ? await notIgnored(sorted, where, most + 1, log, token) : sorted;
  return { uris: kept.slice(0, most), isCut: kept.length > most || found.length > mostFound };
}

/** Files that the person excludes from searches, such as packages, or hides in the Explorer. */
function notSearched(where: vscode.Uri | undefined): string {
  const excluded = ['search', 'files'].flatMap((section) => {
    const patterns = vscode.workspace.getConfiguration(section, where).get<Record<string, unknown>>('exclude', {});
    return Object.keys(patterns).filter((pattern) => patterns[pattern] === true);
  });
  // Patterns are relative to the workspace folder, but have to be relative to the search root here.
  const folder = where && vscode.workspace.getWorkspaceFolder(where);
  const start = folder && pathIn(folder, where) !== '' ? `${pathIn(folder, where)}/` : '';
  const fromStart = excluded.map((pattern) => (pattern.startsWith(start) ? pattern.slice(start.length) : pattern));
  return `{${[...fromStart, ...generatedPatterns].join(',')}}`;
}

async function notIgnored(
  uris: readonly vscode.Uri[],
  where: vscode.Uri | undefined,
  most: number,
  log: Pick<Log, 'warn'>,
  token: vscode.CancellationToken | undefined,
): Promise<vscode.Uri[]> {
  const byFolder = new Map<vscode.WorkspaceFolder, Ignored>();
  const kept: vscode.Uri[] = [];
  const turns = new Turns(systemClock);
  for (const uri of uris) {
    if (kept.length >= most || token?.isCancellationRequested) break;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const ignored = folder && (byFolder.get(folder) ?? ignoredIn(folder, where, log));
    if (ignored) byFolder.set(folder, ignored);
    if (!ignored || !(await ignored.has(pathIn(folder, uri)))) kept.push(uri);
    await turns.next();
  }
  return kept;
}

function ignoredIn(folder: vscode.WorkspaceFolder, where: vscode.Uri | undefined, log: Pick<Log, 'warn'>): Ignored {
  const at = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  return new Ignored(
    (path) => smallText(at(path), log),
    where ? pathIn(folder, where) : '',
    (path) => warnOnce(log, `${relativePath(at(path))} has more or longer lines than are read`),
  );
}
