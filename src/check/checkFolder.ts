import { type Clock, systemClock } from '../base/clock';
import { plain } from '../base/plain';
import { type Span, Lines } from '../documents/scan';
import { readRenderFile } from '../renderFiles/readRenderFile';
import { withSources } from '../renderFiles/sources';
import { type State, type StateOf, stateProblems, statesOf, type ProjectImages } from '../renderFiles/states';
import { sharedTargets } from '../renderFiles/targets';
import { type RenderFile, spanOf, isRenderFile, longestRenderFile } from '../renderFiles/renderFile';
import { english, entryProblemSentence, stateSentence, unreadSentence } from '../renderFiles/words';
import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largestGivenImage } from '../base/givenImage';
import { isGenerated } from '../documents/ignored';
import { nodeDisk } from '../files/disk';
import { hashed } from '../files/sameFile';
import { leadsOut } from '../files/folder';
import { largestFile, largestSidecar, sidecarEnding, type FileMetadata, fileMetadataOf } from '../files/provenance';
import { type Given, givenFrom } from '../renderFiles/givenFiles';

/** The result of a check: lines to print; the last one is a summary. */
export interface Checked {
  readonly lines: readonly string[];
  /** False when an image is missing, stale, or can't be read, or a render file has errors or can't be read. */
  readonly isGood: boolean;
}

/** A message about a place in a render file. */
interface Remark extends Span {
  readonly text: string;
}

/** The states that ask for something to be done. */
const bad: ReadonlySet<State['state']> = new Set(['missing', 'stale', 'unreadable']);

/** Checks the render files in a folder, which is taken for the workspace folder. */
export async function checkFolder(root: string, clock: Clock): Promise<Checked> {
  const folder = new FolderOnDisk(root);
  const files: Read[] = [];
  const unread: string[] = [];
  for (const path of await folder.renderFiles((below) => unread.push(below)))
    await readRenders(path, folder, clock).then(
      (file) => files.push(file),
      () => unread.push(path),
    );
  const shared = await sharedTargets(
    files.map(({ file }) => file),
    clock,
  );
  const lines = unread.map((path) => unreadSentence(path, english));
  const all: StateOf[] = [];
  let errors = unread.length;
  for (const { file, text } of files) {
    const looked = await statesOf(file.renders, folder, clock);
    const { states, problems: found } = await stateProblems(file, looked, folder);
    const problems = [...file.problems, ...(shared.problems.get(file) ?? []), ...found];
    errors += problems.filter(({ severity }) => severity === 'error').length;
    all.push(...states);
    const told = states.flatMap((state): Remark[] => {
      const sentence = stateSentence(state, english);
      return sentence === undefined ? [] : [{ ...spanOf(file, state.render), text: sentence }];
    });
    const remarks = [...problems.map(({ start, end, ...problem }) => remark({ start, end, ...problem })), ...told];
    lines.push(...linesOf(file.path, text, remarks));
  }
  const isGood = errors === 0 && !all.some(({ state }) => bad.has(state.state));
  return { lines: [...lines, summary(files.length, all, errors)], isGood };
}

interface Read {
  readonly text: string;
  readonly file: RenderFile;
}

async function readRenders(path: string, folder: FolderOnDisk, clock: Clock): Promise<Read> {
  const text = await folder.text(path);
  const file = await readRenderFile(text, path, clock);
  return { text, file: await withSources(file, () => undefined, folder, clock) };
}

function remark(problem: RenderFile['problems'][number]): Remark {
  const sentence = entryProblemSentence(problem, english);
  const text = problem.severity === 'warning' ? `Warning: ${sentence}` : sentence;
  return { start: problem.start, end: problem.end, text };
}

/** In the order of their places: `docs/renders.jsonc:12:15: …`. */
function linesOf(path: string, text: string, remarks: readonly Remark[]): string[] {
  const lines = new Lines(text);
  return remarks
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, text: said }) => {
      const { line, column } = lines.placeOf(start);
      return `${plain(path, 1000)}:${line + 1}:${column + 1}: ${said}`;
    });
}

const shownStates: readonly State['state'][] = [
  'current',
  'missing',
  'stale',
  'edited',
  'foreign',
  'unknown',
  'unreadable',
];

function summary(files: number, states: readonly StateOf[], errors: number): string {
  if (files === 0 && errors === 0) return 'No render files found.';
  const counts = shownStates.flatMap((name) => {
    const count = states.filter(({ state }) => state.state === name).length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return `${[`Images: ${states.length}`, ...counts].join(' · ')} · Render files: ${files} · Errors: ${errors}`;
}

/** The images below a folder on this machine. */
export class FolderOnDisk implements ProjectImages {
  private readonly read = new Map<string, Promise<Given>>();

  constructor(private readonly root: string) {}

  async names(folder: string): Promise<readonly string[]> {
    return unlessGone(readdir(join(this.root, folder)), []);
  }

  async metadata(file: string): Promise<FileMetadata | undefined> {
    const path = join(this.root, file);
    const [bytes, beside] = await Promise.all([
      readUpTo(path, largestFile),
      readUpTo(path + sidecarEnding, largestSidecar),
    ]);
    const whole = bytes && (await hashed(bytes, systemClock));
    return fileMetadataOf({ whole, beside: beside && new TextDecoder().decode(beside) }, systemClock);
  }

  /** As it was when it was first asked for: many entries may have the same image. */
  given(file: string): Promise<Given> {
    const given = this.read.get(file) ?? this.readGiven(file).catch((): Given => ({ why: 'unreadable' }));
    this.read.set(file, given);
    return given;
  }

  private async readGiven(file: string): Promise<Given> {
    const path = join(this.root, file);
    const found = await unlessGone(stat(path), undefined);
    if (!found) return { why: 'missing' };
    if (found.isDirectory()) return { why: 'folder' };
    if (await leadsOut(nodeDisk, this.root, path)) return { why: 'outside' };
    if (found.size > largestGivenImage) return { why: 'tooLarge', bytes: found.size };
    return found.isFile() ? givenFrom(file, await readFile(path), systemClock) : { why: 'unreadable' };
  }

  /** The text of a render file without a byte order mark, or enough of it to see that it's too large. */
  async text(file: string): Promise<string> {
    const handle = await open(join(this.root, file));
    try {
      const { size } = await handle.stat();
      // A character takes at most four bytes.
      const bytes = Buffer.alloc(Math.min(size, longestRenderFile * 4 + 1));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return new TextDecoder().decode(bytes.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  }

  /**
   * The render files in a folder and those below, in the order of their paths; links aren't followed. Calls `skip` with
   * each folder that can't be read.
   */
  async renderFiles(skip: (folder: string) => void, folder = ''): Promise<string[]> {
    const found: string[] = [];
    for (const entry of await this.entries(folder, skip)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && isRenderFile(path)) found.push(path);
      if (entry.isDirectory() && !isGenerated(entry.name)) found.push(...(await this.renderFiles(skip, path)));
    }
    return found;
  }

  private async entries(folder: string, skip: (folder: string) => void): Promise<readonly Dirent[]> {
    try {
      const entries = await unlessGone(readdir(join(this.root, folder), { withFileTypes: true }), []);
      return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      skip(folder || '.');
      return [];
    }
  }
}

/** Undefined if it doesn't exist, isn't a regular file, or has more bytes than that. Reading a device may never end. */
async function readUpTo(path: string, most: number): Promise<Uint8Array | undefined> {
  const found = await unlessGone(stat(path), undefined);
  return found?.isFile() && found.size <= most ? readFile(path) : undefined;
}

async function unlessGone<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return instead;
    throw error;
  }
}
