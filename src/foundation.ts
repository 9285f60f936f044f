import type * as vscode from 'vscode';
import { ApiKeys } from './features/account/model/apiKey';
import { Countdown } from './features/account/model/keyNotice';
import type { OpenForm } from './compose/openForm';
import { ModelKinds, ModelList, ChosenModels } from './features/models/model/modelList';
import type { ModelFit } from './compose/fitting';
import type { DraftRequest } from './compose/offer';
import type { StyleSource } from './compose/projectStyles';
import { systemClock } from './base/clock';
import { type Disposables, Lazy } from './base/disposable';
import { SharedStore } from './base/store';
import type { JsonObject } from './base/json';
import type { ServiceError } from './catalog/errors';
import { placeName, Session } from './catalog/session';
import type { Quotes } from './catalog/quotes';
import type { DefaultPrices } from './features/models/model/defaultPrices';
import { Clients } from './features/account/clients';
import { Connection } from './features/account/connection';
import { StatusBar } from './features/account/statusBar';
import { Commands } from './editor/commands';
import type { OpenCompare } from './features/compare/comparePanels';
import { followRenders } from './features/account/contextKeys';
import { OutputLog } from './editor/log';
import type { Memory, Renders } from './features/rendering/renders';
import { Settings } from './editor/settings';

/**
 * What every window has from the start, and every feature may use. It knows no feature beyond these. What is lazy loads
 * on first use; the renders load the ledger and everything that spends.
 */
export interface Foundation {
  /** Resolves in the turn after all features were registered: for what nobody waits for. */
  readonly registered: Promise<void>;
  readonly context: vscode.ExtensionContext;
  readonly memory: Memory;
  readonly log: OutputLog;
  readonly commands: Commands;
  readonly settings: Settings;
  readonly kinds: ModelKinds;
  readonly session: Session;
  readonly quotes: Lazy<Quotes>;
  /** Learns from the quotes once these are loaded. */
  readonly prices: Lazy<DefaultPrices>;
  readonly keys: ApiKeys;
  readonly clients: Clients;
  readonly connection: Connection;
  readonly countdown: Countdown;
  readonly statusBar: StatusBar;
  readonly chosenModels: ChosenModels;
  readonly list: ModelList;
  readonly renders: Lazy<Renders>;
}

/** The foundation for what composes an order: with everything that is needed for that loaded. */
export interface LoadedFoundation extends Omit<Foundation, 'renders' | 'quotes'> {
  readonly renders: Renders;
  readonly quotes: Quotes;
  /** The styles of the project's render files. */
  readonly styles: StyleSource;
}

/** What features ask of each other without knowing each other. */
export interface Verbs {
  readonly openForm: OpenForm;
  readonly openCompare: OpenCompare;
  /**
   * Asks what should change in an image, and shows the result next to it; or next to the file it's to replace, if the
   * image is a new one for that. Resolves when the render is ordered or the user canceled. Rejects with UserError when
   * it isn't an image, or nothing was ordered.
   */
  readonly editImage: (file: vscode.Uri, replaced?: vscode.Uri) => Promise<void>;
  /**
   * Lets the user pick an option that the balance covers: the same with other inputs or another model, each at the
   * service's price. It orders nothing. Undefined when they cancel. Rejects with UserError without an account, with
   * ServiceError when model or price is unavailable.
   */
  readonly whatFits: (modelId: string, inputs: JsonObject) => Promise<ModelFit | undefined>;
  /**
   * Shows the price of the same render with its model and others of the kind, and renders with the selected ones after
   * one confirmation of the total. True when something was ordered; resolves before that has ended. Rejects with
   * UserError when the inputs are incomplete or no account is connected, with ServiceError when the models are
   * unavailable.
   */
  readonly comparePrices: (request: DraftRequest) => Promise<boolean>;
}

/** @param follow Called with the renders once they're loaded, before anybody gets them. */
export function openFoundation(
  own: Disposables,
  context: vscode.ExtensionContext,
  follow: (renders: Renders) => Promise<void>,
): Foundation {
  const { secrets, extensionUri, globalStorageUri, storageUri, workspaceState } = context;
  const globalState = new SharedStore(context.globalState);
  const memory = { extensionUri, globalStorageUri, storageUri, globalState, workspaceState };
  const registered = new Promise<void>((resolve) => setImmediate(resolve));
  const log = own.add(new OutputLog());
  const settings = own.add(new Settings());
  const kinds = own.add(new ModelKinds(globalState));
  const keys = new ApiKeys(secrets, systemClock);
  const clients = own.add(new Clients(settings, context, log));
  const worded = (error: ServiceError) => clients.words.ready?.sentenceOf(error) ?? error.message;
  const session = own.add(new Session(systemClock, worded, kinds));
  const connection = own.add(new Connection(session, settings, keys, clients, context, log));
  const countdown = own.add(new Countdown(session, systemClock));
  const statusBar = own.add(new StatusBar(registered, session, connection, settings, countdown));
  const chosenModels = own.add(
    new ChosenModels(globalState, () => session.state.place && placeName(session.state.place)),
  );
  const keptModels = new Lazy(async () => {
    const { keptModelsIn } = await import('./features/models/model/keptModels');
    return keptModelsIn(globalStorageUri.fsPath);
  });
  const renders = new Lazy(async () => {
    const { openRenders } = await import('./features/rendering/renders');
    const opened = own.add(await openRenders(session, settings, memory, kinds, log));
    await follow(opened);
    const { library } = opened;
    own.add(
      library.onDidMove(
        ({ now, isOurs }) => isOurs && now.state === 'sent' && chosenModels.use(now.modelId, now.place),
      ),
    );
    own.add(followRenders(library));
    statusBar.follow(library);
    return opened;
  });
  const quotes: Lazy<Quotes> = new Lazy(async () => {
    const { Quotes } = await import('./catalog/quotes');
    void prices.get();
    return new Quotes(systemClock);
  });
  const prices = new Lazy(async () => {
    const { DefaultPrices } = await import('./features/models/model/defaultPrices');
    return own.add(new DefaultPrices(session, await quotes.get(), log));
  });
  return {
    ...{
      registered,
      context,
      memory,
      log,
      settings,
      kinds,
      session,
      keys,
      clients,
      connection,
      countdown,
      statusBar,
      chosenModels,
      quotes,
      prices,
    },
    commands: own.add(new Commands(log, () => session.client?.probe())),
    list: new ModelList(session, keptModels, (id) => prices.ready?.of(id), log),
    renders,
  };
}
