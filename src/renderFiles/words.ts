import { plain } from '../base/plain';
import { longestSide } from '../files/fit/fit';
import { formatSize, formatNames } from '../base/numbers';
import { englishIssueStrings, issueText } from '../catalog/fields';
import type { EntryProblem } from './renderFile';
import { type Change, isWaiting, type State, type StateOf } from './states';

/** A translator: the editor's, or none. */
export interface L10n {
  t(message: string, ...parts: (string | number)[]): string;
}

/** For programs in English: puts the parts into the sentence. */
export const english: L10n = {
  t: (message, ...parts) => message.replace(/\{(\d+)\}/g, (whole, index) => String(parts[Number(index)] ?? whole)),
};

/** The most names in one sentence. */
const mostNames = 12;

/** What is wrong in a render file, and what to do. */
export function entryProblemSentence(problem: EntryProblem, l10n: L10n): string {
  switch (problem.code) {
    case 'syntax':
      return l10n.t('This isn’t valid JSON, or it isn’t complete.');
    case 'fileTooLarge':
      return l10n.t('This render file is too large. Split it into files of at most {0} characters.', problem.most);
    case 'tooDeep':
      return l10n.t('Too many nested levels.');
    case 'tooManyValues':
      return l10n.t('This render file is too large. Split it into files of at most {0} values.', problem.most);
    case 'wrongType':
      return typeSentence(problem, l10n);
    case 'unknownProperty':
      return l10n.t('Unknown property “{0}”.', plain(problem.name, 60));
    case 'missingProperty':
      return problem.name === 'file'
        ? l10n.t('Enter the file to render, for example "file": "hero".')
        : l10n.t('Enter a model for this render, or for all of them.');
    case 'unknownStyle':
      return l10n.t('This file has no style “{0}”.', plain(problem.name, 60));
    case 'circle':
      return l10n.t('Circular styles: {0}.', listed(problem.names, ' → '));
    case 'styleWithoutPrompt':
      return l10n.t('This style adds words to the prompt, but the prompt is missing.');
    case 'unsafeFile':
      return l10n.t(
        '“{0}” isn’t a valid file name on every system. Use letters, digits, and dashes.',
        plain(problem.file, 80),
      );
    case 'unsafeFolder':
      return l10n.t(
        'The folder of “{0}” starts with a dot or isn’t valid on every system. Choose another "folder".',
        plain(problem.file, 80),
      );
    case 'outside':
      return l10n.t('“{0}” is outside the workspace folder. Choose a place inside it.', plain(problem.file, 80));
    case 'sameTarget':
      return problem.otherFile === undefined
        ? l10n.t('Two entries use the file “{0}”. Give each a different one.', plain(problem.file, 80))
        : l10n.t(
            '“{0}” is also in {1}. Give each entry a different file.',
            plain(problem.file),
            plain(problem.otherFile),
          );
    case 'unknownVariable':
      return l10n.t('Add “{0}” to "for", or remove it from the file name.', plain(problem.variable, 60));
    case 'variableNotInFile':
      return l10n.t(
        'Put {0} into the file name, so that each render has its own file.',
        `{${plain(problem.variable, 60)}}`,
      );
    case 'tooManyRenders':
      return l10n.t('Too many entries: {0}. Only the first {1} are read.', problem.count, problem.most);
    case 'tooMuchText':
      return l10n.t('The inputs in this file are too long in total. Split the file.');
    case 'tooManyInputs':
      return l10n.t('Use at most {0} inputs per entry.', problem.most);
    case 'notFitted':
      return l10n.t('“{0}” can’t be fitted. Use .png, .jpg, or .webp, or enter "fit": null.', plain(problem.file, 80));
    case 'formatNotFitted':
      return l10n.t(
        '“{0}” is in a format that can’t be fitted. Choose another model, or enter "fit": null.',
        plain(problem.file, 80),
      );
    case 'badImage':
      return imageSentence(problem, l10n);
    case 'badSource':
      return sourceSentence(problem, l10n);
    case 'sourceCircle':
      return l10n.t('These images need each other: {0}. Remove one of the names.', listed(problem.names, ' → '));
    case 'unknownModel':
      return l10n.t('The service has no model “{0}”.', plain(problem.modelId, 120));
    case 'noImages':
      return l10n.t('“{0}” doesn’t generate images. Choose another model.', plain(problem.modelId, 120));
    case 'unknownField':
      return l10n.t('The model has no input “{0}”. Its inputs: {1}.', plain(problem.field, 60), listed(problem.known));
    case 'badValue':
      return valueSentence(problem, l10n);
  }
}

function typeSentence({ name, expected }: EntryProblem & { readonly code: 'wrongType' }, l10n: L10n): string {
  const shown = plain(name, 60);
  switch (expected) {
    case 'object':
      return name === '' ? l10n.t('A render file must be a JSON object.') : l10n.t('Enter an object for “{0}”.', shown);
    case 'array':
      return l10n.t('Enter a list for “{0}”.', shown);
    case 'text':
      return l10n.t('Enter text in quotes for “{0}”.', shown);
    case 'side':
      return l10n.t('Enter a number of pixels from 1 to {0} for “{1}”.', longestSide, shown);
    case 'fit':
      return l10n.t('Enter "cover", "contain", or null for “{0}”.', shown);
    case 'style':
      return l10n.t('Enter the name of a style, or a style.');
    case 'values':
      return l10n.t('Enter at least one value for “{0}”: a list, or an object with a string for each name.', shown);
  }
}

function valueSentence({ field, issue }: EntryProblem & { readonly code: 'badValue' }, l10n: L10n): string {
  if (issue.code === 'required') return l10n.t('Enter a value for “{0}”.', plain(field, 60));
  const [key, ...parts] = issueText(issue, {
    size: (bytes) => formatSize(bytes, 'en'),
    formats: (types) => formatNames(types),
  });
  return l10n.t(englishIssueStrings[key], ...parts);
}

function imageSentence({ file, why }: EntryProblem & { readonly code: 'badImage' }, l10n: L10n): string {
  const shown = plain(file, 80);
  switch (why) {
    case 'missing':
      return l10n.t('“{0}” doesn’t exist. Enter the path from this render file’s folder.', shown);
    case 'folder':
      return l10n.t('“{0}” is a folder. Choose an image.', shown);
    case 'other':
      return l10n.t('“{0}” isn’t an image. Choose another file.', shown);
    case 'unreadable':
      return l10n.t('“{0}” can’t be read. Check the file, then try again.', shown);
  }
}

function sourceSentence({ name, why, known }: EntryProblem & { readonly code: 'badSource' }, l10n: L10n): string {
  const shown = plain(name, 60);
  switch (why) {
    case 'unknown':
      return known.length > 0
        ? l10n.t('No entry has the file “{0}”. Files that you can name: {1}.', shown, listed(known))
        : l10n.t('No other entry has the file “{0}”. Add one, or enter the path of an image.', shown);
    case 'several':
      return l10n.t('Several entries have the file “{0}”. Name one of these: {1}.', shown, listed(known));
    case 'errors':
      return l10n.t('The entry of “{0}” has errors. Fix it first.', shown);
    case 'noImage':
      return l10n.t('The model of “{0}” doesn’t generate images. Name another entry.', shown);
  }
}

/** Names as one text, the first ones of many. */
export function listed(names: readonly string[], between = ', '): string {
  const shown = names.slice(0, mostNames).map((name) => plain(name, 60));
  return [...shown, ...(names.length > mostNames ? ['…'] : [])].join(between);
}

/** The state of a render, with its file, and what comes before it; undefined if it's current. */
export function stateSentence(one: StateOf, l10n: L10n): string | undefined {
  const sentence = ownSentence(one, l10n);
  if (sentence === undefined || !isWaiting(one)) return sentence;
  return `${sentence} ${l10n.t('First render what it’s made from: {0}.', listed(one.after))}`;
}

function ownSentence({ render, state }: StateOf, l10n: L10n): string | undefined {
  const file = plain('file' in state ? state.file : render.target);
  switch (state.state) {
    case 'current':
      return undefined;
    case 'missing':
      return l10n.t('{0} is missing.', file);
    case 'stale':
      if (state.changes.length === 0)
        return state.isEdited
          ? l10n.t('{0} is out of date, since what it’s made from is. The image was also edited.', file)
          : l10n.t('{0} is out of date, since what it’s made from is.', file);
      return state.isEdited
        ? l10n.t('{0} is out of date: {1} changed. The image was also edited.', file, changedNames(state, l10n))
        : l10n.t('{0} is out of date: {1} changed.', file, changedNames(state, l10n));
    case 'edited':
      return l10n.t('{0} was edited since it was rendered.', file);
    case 'foreign':
      return l10n.t('{0} has no record of how it was made.', file);
    case 'unreadable':
      return unreadSentence(file, l10n);
    case 'unknown':
      return l10n.t('{0} doesn’t include its prompt, so we can’t tell whether it’s current.', file);
  }
}

/** A file or folder that can't be read. */
export function unreadSentence(path: string, l10n: L10n): string {
  return l10n.t('{0} can’t be read.', plain(path));
}

/** What has changed since a stale image was made: `prompt, seed`. */
export function changedNames({ changes }: State & { readonly state: 'stale' }, l10n: L10n): string {
  return listed([...new Set(changes.map((change) => changedName(change, l10n)))]);
}

/** What a change is about, such as the name of an input. */
export function changedName(change: Change, l10n: L10n): string {
  if (change.kind === 'input') return change.field;
  if (change.kind === 'fit') return l10n.t('size');
  return change.kind === 'model' ? l10n.t('model') : l10n.t('prompt');
}
