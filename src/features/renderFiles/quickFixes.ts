import * as vscode from 'vscode';
import { commands } from '../../editor/ids';
import { plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import { fixesOf, type Fix, type KnownModels } from '../../renderFiles/fixes';
import type { Problem } from '../../renderFiles/renderFile';
import { isForeign } from '../../renderFiles/states';
import type { Foundation } from '../../foundation';
import { fixCommand } from '../links/fixCommand';
import { diagnosticOf } from './diagnosticOf';
import { rangeOf } from './rangeOf';
import type { ReadFile, RenderFiles } from './renderFiles';

/** The most problems that are handled for one place. */
const mostProblems = 10;

/** Offers replacements for unknown names, and for values that a model doesn’t accept. */
export function quickFixes(files: RenderFiles, { list }: Foundation): vscode.CodeActionProvider {
  const models: KnownModels = {
    fields: (id) =>
      files.hints.model(id).then(
        ({ fields }) => fields,
        () => [],
      ),
    ids: () =>
      list.read().then(
        ({ listing }) => listing.items.filter((model) => mayMake(model, 'image')).map(({ id }) => id),
        () => [],
      ),
  };
  return {
    provideCodeActions: async (document, range, { diagnostics }) => {
      const { version } = document;
      const read = await files.read(document);
      if (!read || document.version !== version) return [];
      const here = read.problems.filter((one) => rangeOf(document, one).intersection(range)).slice(0, mostProblems);
      const text = document.getText();
      const found = await Promise.all(
        here.map(async (problem) => [problem, await fixesOf(problem, text, read.file, models)] as const),
      );
      // The editor asks again for the new version.
      if (document.version !== version) return [];
      const changes = found.flatMap(([problem, fixes]) => changesFor(document, problem, fixes, diagnostics));
      return [...changes, ...adoptions(document, read, range, diagnostics)];
    },
  };
}

function changesFor(
  document: vscode.TextDocument,
  problem: Problem,
  fixes: readonly Fix[],
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const { range, code } = diagnosticOf(document, problem);
  const shown = diagnostics.filter((one) => one.code === code && one.range.isEqual(range));
  return fixes.map((fix, index) => {
    const title = vscode.l10n.t('Change to “{0}”', plain(fix.shown, 80));
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = shown;
    action.isPreferred = index === 0;
    action.command = fixCommand('entry', title, document, fix);
    return action;
  });
}

function adoptions(
  document: vscode.TextDocument,
  { file, states }: ReadFile,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const foreign = new Set(states.filter(isForeign).map(({ render }) => render.entry));
  const entries = file.entries.filter(
    ({ index, file: name }) => foreign.has(index) && name && rangeOf(document, name).intersection(range),
  );
  return entries.slice(0, mostProblems).map(({ index }) => {
    const title = vscode.l10n.t('Adopt Image');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { command: commands.adoptImages, title, arguments: [document.uri, index] };
    action.diagnostics = diagnostics.filter(({ code }) => code === 'foreign');
    return action;
  });
}
