import * as vscode from 'vscode';
import { commands } from '../../app/ids';
import { plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import { fixesOf, type KnownModels } from '../../renderFiles/fixes';
import { isForeign } from '../../renderFiles/states';
import type { Services } from '../../services';
import { diagnosticOf } from './diagnosticOf';
import { rangeOf } from './rangeOf';
import type { RenderFiles } from './renderFiles';

/** The most problems that are handled for one place. */
const mostProblems = 10;

/** Offers replacements for unknown names, and for values that a model doesn’t accept. */
export function quickFixes(
  files: RenderFiles,
  { session, list }: Pick<Services, 'session' | 'list'>,
): vscode.CodeActionProvider {
  const models: KnownModels = {
    fields: (id) =>
      session.model(id).then(
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
      const read = await files.read(document);
      const here = (read?.problems ?? []).filter((one) => rangeOf(document, one).intersection(range));
      const actions: vscode.CodeAction[] = [];
      for (const problem of read ? here.slice(0, mostProblems) : []) {
        const { range: place, code } = diagnosticOf(document, problem);
        const shown = diagnostics.filter((one) => one.code === code && one.range.isEqual(place));
        const fixes = read ? await fixesOf(problem, document.getText(), read.file, models) : [];
        for (const [index, fix] of fixes.entries()) {
          const title = vscode.l10n.t('Change to “{0}”', plain(fix.shown, 80));
          const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
          action.diagnostics = shown;
          action.isPreferred = index === 0;
          action.edit = new vscode.WorkspaceEdit();
          action.edit.replace(document.uri, rangeOf(document, fix), fix.text);
          actions.push(action);
        }
      }
      const entries =
        read?.file.entries.filter(({ file }) => file && rangeOf(document, file).intersection(range)) ?? [];
      const foreign = new Set(read?.states.filter(isForeign).map(({ render }) => render.entry));
      for (const { index } of entries.filter((entry) => foreign.has(entry.index)).slice(0, mostProblems)) {
        const title = vscode.l10n.t('Adopt Image');
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = { command: commands.adoptImages, title, arguments: [document.uri, index] };
        action.diagnostics = diagnostics.filter(({ code }) => code === 'foreign');
        actions.push(action);
      }
      return actions;
    },
  };
}
