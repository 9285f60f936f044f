import type { Clock } from '../base/clock';
import { Lines } from '../base/text';
import { plain } from '../base/plain';
import type { Span } from '../documents/scan';
import { readRenderFile } from '../renderFiles/readRenderFile';
import { type State, type StateOf, stateProblems, statesOf } from '../renderFiles/states';
import { sharedTargets } from '../renderFiles/targets';
import { spanOf, type RenderFile } from '../renderFiles/renderFile';
import { english, entryProblemSentence, stateSentence, unreadSentence } from '../renderFiles/words';
import { FolderOnDisk } from './folderOnDisk';

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
    await readFile(path, folder, clock).then(
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

async function readFile(path: string, folder: FolderOnDisk, clock: Clock): Promise<Read> {
  const text = await folder.text(path);
  return { text, file: await readRenderFile(text, path, clock) };
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
