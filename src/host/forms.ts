import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import type { Log } from '../base/log';
import { Rhythm } from '../base/rhythm';
import type { LiveQuote } from '../catalog/liveQuote';
import type { Session } from '../catalog/session';
import type { Connection } from './connection';
import { Drafts } from './drafts';
import { FormPanels } from './formPanel';
import type { FormPort } from './formPort';
import type { Renders } from './renders';
import { sessionQuote } from './sessionQuote';
import type { WhatFits } from './whatFits';

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
  const panels: FormPanels = new FormPanels({
    extensionUri,
    spool: vscode.Uri.joinPath(globalStorageUri, 'spool'),
    session,
    connection,
    library: renders.library,
    newQuote: () => quoteAtRest(session),
    drafts: new Drafts(workspaceState, globalState),
    port: portOf(renders, async (modelId, inputs) => {
      const fit = await whatFits(modelId, inputs);
      if (!fit || fit.model.id === modelId) return fit?.inputs;
      panels.open(fit.model.id, fit.inputs);
      return undefined;
    }),
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

function portOf({ spend, targets }: Renders, whatFits: FormPort['whatFits']): FormPort {
  return {
    whatFits,
    // The price stood on the button that was pressed.
    render: (order) => spend.render(order),
    defaultTarget: () => targets.default(),
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, modelId, inputs) => targets.previewName(target, modelId, inputs),
  };
}
