import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import type { Log } from '../base/log';
import type { Session } from '../catalog/session';
import type { Connection } from './connection';
import { Drafts } from './drafts';
import { FormPanels } from './formPanel';
import type { FormPort } from './formPort';
import type { Renders } from './renders';
import { sessionQuote } from './sessionQuote';

/** The forms of this window over the renders they order. */
export function openForms(
  context: vscode.ExtensionContext,
  session: Session,
  connection: Connection,
  renders: Renders,
  log: Log,
): FormPanels {
  const { extensionUri, globalStorageUri, workspaceState, globalState } = context;
  return new FormPanels({
    extensionUri,
    spool: vscode.Uri.joinPath(globalStorageUri, 'spool'),
    session,
    connection,
    library: renders.library,
    newQuote: () => sessionQuote(session),
    drafts: new Drafts(workspaceState, globalState),
    port: portOf(renders),
    clock: systemClock,
    log,
  });
}

function portOf({ spend, targets }: Renders): FormPort {
  return {
    // The price stood on the button that was pressed.
    render: (order) => spend.render(order, 'ours'),
    defaultTarget: () => targets.default(),
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, modelId, inputs) => targets.previewName(target, modelId, inputs),
  };
}
