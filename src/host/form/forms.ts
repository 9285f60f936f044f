import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { Rhythm } from '../../base/rhythm';
import type { LiveQuote } from '../../catalog/liveQuote';
import type { Session } from '../../catalog/session';
import { stagedFolder } from '../../renders/placement';
import type { Connection } from '../account/connection';
import { renderAndInsert } from '../documents/renderAndInsert';
import { Drafts } from '../models/drafts';
import { sessionQuote } from '../prices/sessionQuote';
import type { WhatFits } from '../prices/whatFits';
import type { Renders } from '../renders/renders';
import { FormPanels } from './formPanel';
import type { FormPort } from './formPort';
import { LastEditor } from './lastEditor';

/** The forms of this window over the renders they order. */
export function openForms(
  context: vscode.ExtensionContext,
  session: Session,
  connection: Connection,
  renders: Renders,
  whatFits: WhatFits,
  log: Log,
): FormPanels {
  const { extensionUri, globalStorageUri, workspaceState, globalState } = context;
  const lastEditor = new LastEditor();
  const panels: FormPanels = new FormPanels({
    extensionUri,
    spool: vscode.Uri.joinPath(globalStorageUri, 'spool'),
    staged: vscode.Uri.joinPath(globalStorageUri, stagedFolder),
    session,
    connection,
    library: renders.library,
    newQuote: () => quoteAtRest(session),
    drafts: new Drafts(workspaceState, globalState),
    port: portOf(renders, lastEditor, async (modelId, inputs) => {
      const fit = await whatFits(modelId, inputs);
      if (!fit || fit.model.id === modelId) return fit?.inputs;
      panels.open(fit.model.id, fit.inputs);
      return undefined;
    }),
    lastEditor,
    clock: systemClock,
    log,
  });
  return panels;
}

/** A live price that waits until whoever fills in the form rests, by the rhythm of their own edits. */
function quoteAtRest(session: Session): LiveQuote {
  const rhythm = new Rhythm(systemClock);
  const debounceMs = () => {
    rhythm.beat();
    return rhythm.restMs;
  };
  return sessionQuote(session, { debounceMs });
}

function portOf(renders: Renders, lastEditor: LastEditor, whatFits: FormPort['whatFits']): FormPort {
  const { spend, targets } = renders;
  return {
    whatFits,
    // The price stood on the button that was pressed.
    render: (order, place) => (place ? renderAndInsert(order, place, renders) : spend.render(order)),
    linkPlace: ({ root }) => {
      const { place } = lastEditor;
      const folder = place && vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(place.uri, true));
      return root === undefined || root === folder?.uri.toString() ? place : undefined;
    },
    onDidChangeLinkPlace: lastEditor.onDidChange,
    defaultTarget: () => targets.default(),
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, modelId, inputs) => targets.previewName(target, modelId, inputs),
  };
}
