import type * as vscode from 'vscode';
import { Countdown } from './app/account/countdown';
import { ApiKeys } from './app/account/apiKey';
import type { OpenForm } from './app/form/openForm';
import { ModelKinds } from './app/models/modelKinds';
import { ModelList } from './app/models/modelList';
import type { AtHand } from './app/models/modelSearch';
import { ModelShelf } from './app/models/modelShelf';
import type { StyleShelf } from './app/styles/projectStyles';
import type { PriceWish } from './app/prices/priceWish';
import { systemClock } from './base/clock';
import type { Owned } from './base/disposable';
import { Lazy } from './base/lazy';
import type { ServiceError } from './catalog/errors';
import { placeName } from './catalog/placeName';
import type { Quotes } from './catalog/quotes';
import { Session } from './catalog/session';
import type { Account } from './host/account/account';
import { Clients } from './host/account/clients';
import { Connection } from './host/account/connection';
import { StatusBar } from './host/account/statusBar';
import { Commands } from './host/commands';
import type { ComparePanels } from './host/compare/comparePanels';
import type { OpenCompare } from './host/compare/comparedPicture';
import { followRenders } from './host/contextKeys';
import type { Documents } from './host/documents/documents';
import type { FormPanels } from './host/form/formPanel';
import { GenerationsView } from './host/generations/generationsView';
import { OutputLog } from './host/log';
import type { ComparePrices } from './host/prices/comparePrices';
import type { WhatFits } from './host/prices/whatFits';
import type { QuickRender } from './host/quickRender/quickRender';
import type { OpenedRenderFiles } from './host/renderFiles/openRenderFiles';
import type { Memory, Renders } from './host/renders/renders';
import type { Tools } from './host/tools/tools';
import type { SendSelection } from './host/selection/sendSelection';
import { Settings } from './host/settings';

/** The services that every window has from the start. */
interface Core {
  /** Resolves in the turn after all features were registered: for what nobody waits for. */
  readonly registered: Promise<void>;
  readonly context: vscode.ExtensionContext;
  readonly log: OutputLog;
  readonly commands: Commands;
  readonly settings: Settings;
  readonly kinds: ModelKinds;
  readonly session: Session;
  readonly quotes: Lazy<Quotes>;
  readonly keys: ApiKeys;
  readonly clients: Clients;
  readonly connection: Connection;
  readonly countdown: Countdown;
  readonly statusBar: StatusBar;
  readonly shelf: ModelShelf;
  readonly list: ModelList;
}

/**
 * The services that features share. Lazy ones load on first use; the renders load the ledger and everything that
 * spends.
 */
export interface Services extends Core {
  readonly account: Lazy<Account>;
  readonly documents: Lazy<Documents>;
  readonly renders: Lazy<Renders>;
  readonly renderFiles: Lazy<OpenedRenderFiles>;
  readonly generations: GenerationsView;
  readonly forms: Lazy<FormPanels>;
  readonly comparisons: Lazy<ComparePanels>;
  readonly quickRender: Lazy<QuickRender>;
  readonly priceComparison: Lazy<ComparePrices>;
  readonly sendSelection: Lazy<SendSelection>;
  /** The agents' tools, for agents of any kind. */
  readonly agentTools: Lazy<Tools>;
  readonly openForm: OpenForm;
  readonly openCompare: OpenCompare;
  readonly whatFits: WhatFits;
  /** As `ComparePrices.open`. */
  readonly comparePrices: (wish: PriceWish) => Promise<boolean>;
}

/** The services that actions on renders need. */
export type ResultServices = Pick<
  Services,
  'renders' | 'session' | 'connection' | 'openForm' | 'whatFits' | 'openCompare'
> & {
  readonly forms: { readonly ready: Pick<FormPanels, 'forget' | 'renewPrompts'> | undefined };
  readonly list: Pick<ModelList, 'read'>;
  readonly shelf: AtHand;
  readonly generations: Pick<GenerationsView, 'selection'>;
  readonly context: Memory;
};

/** For dialogs that compose an order: they open once the renders are loaded. */
export type DialogServices = Omit<Services, 'renders' | 'quotes'> & {
  readonly renders: Renders;
  readonly quotes: Quotes;
  readonly styles: StyleShelf;
};

export function openServices(own: Owned, context: vscode.ExtensionContext): Services {
  const core = openCore(own, context);
  const renders = new Lazy(() => openRenders(own, services));
  const services: Services = {
    ...core,
    account: new Lazy(() => openAccount(core)),
    documents: new Lazy(() => openDocuments(own, services)),
    renders,
    renderFiles: new Lazy(async () =>
      (await import('./host/renderFiles/openRenderFiles')).openRenderFiles(own, services),
    ),
    generations: own.add(new GenerationsView(renders, core.connection, core.countdown, core.log)),
    forms: new Lazy(() => openForms(own, services)),
    comparisons: new Lazy(() => openComparisons(own, services)),
    quickRender: new Lazy(() => openQuickRender(own, services)),
    priceComparison: new Lazy(() => openPriceComparison(services)),
    sendSelection: new Lazy(() => openSendSelection(own, services)),
    agentTools: new Lazy(() => openAgentTools(own, services)),
    openForm: async (...what) => (await import('./host/form/formPages')).openForm(services, ...what),
    openCompare: async (...what) => (await services.comparisons.get()).open(...what),
    whatFits: async (modelId, inputs) => (await import('./host/prices/whatFits')).whatFits(modelId, inputs, services),
    comparePrices: async (wish) => (await services.priceComparison.get()).open(wish),
  };
  return services;
}

async function withRenders(services: Services): Promise<DialogServices> {
  const { renders, quotes, renderFiles } = services;
  const [opened, prices, { styles }] = await Promise.all([renders.get(), quotes.get(), renderFiles.get()]);
  return { ...services, renders: opened, quotes: prices, styles };
}

function openCore(own: Owned, context: vscode.ExtensionContext): Core {
  const { secrets, globalState, globalStorageUri } = context;
  const registered = new Promise<void>((resolve) => setImmediate(resolve));
  const log = own.add(new OutputLog());
  const settings = own.add(new Settings());
  const kinds = own.add(new ModelKinds(globalState));
  const keys = new ApiKeys(secrets, systemClock);
  const clients = own.add(new Clients(settings, context, log));
  const worded = (error: ServiceError) => clients.words.ready?.sentenceOf(error) ?? error.message;
  const session = own.add(new Session(systemClock, worded, kinds));
  const connection = own.add(new Connection(session, settings, keys, clients, globalStorageUri, log));
  const countdown = own.add(new Countdown(session, systemClock));
  const keptModels = new Lazy(async () => {
    const { keptModelsIn } = await import('./app/models/keptModels');
    return keptModelsIn(globalStorageUri.fsPath);
  });
  return {
    ...{ registered, context, log, settings, kinds, session, keys, clients, connection, countdown },
    quotes: new Lazy(async () => new (await import('./catalog/quotes')).Quotes(systemClock)),
    commands: own.add(new Commands(log, () => session.client?.probe())),
    statusBar: own.add(new StatusBar(registered, session, connection, settings, countdown)),
    shelf: own.add(new ModelShelf(globalState, () => session.state.place && placeName(session.state.place))),
    list: new ModelList(session, keptModels, log),
  };
}

async function openAccount({ connection, settings, keys, clients, context, log }: Core): Promise<Account> {
  const { Account } = await import('./host/account/account');
  return new Account(connection, settings, keys, clients, context.globalState, log);
}

async function openDocuments(own: Owned, services: Services): Promise<Documents> {
  const { Documents } = await import('./host/documents/documents');
  return own.add(new Documents(services));
}

async function openRenders(own: Owned, services: Services): Promise<Renders> {
  const { session, settings, context, kinds, shelf, statusBar, documents, log } = services;
  const [{ openRenders }, { RenderNotices }] = await Promise.all([
    import('./host/renders/renders'),
    import('./host/renders/renderNotices'),
  ]);
  const renders = own.add(await openRenders(session, settings, context, kinds, log));
  own.add(new RenderNotices(renders, settings, session));
  (await documents.get()).follow(renders);
  own.add(
    renders.library.onDidMove(({ now, isOurs }) => isOurs && now.state === 'sent' && shelf.use(now.modelId, now.place)),
  );
  own.add(followRenders(renders.library));
  statusBar.follow(renders.library);
  return renders;
}

async function openForms(own: Owned, services: Services): Promise<FormPanels> {
  const { openForms } = await import('./host/form/forms');
  const { links } = await services.documents.get();
  return own.add(openForms(await withRenders(services), links));
}

async function openComparisons(own: Owned, { context, renders, log }: Services): Promise<ComparePanels> {
  const { ComparePanels } = await import('./host/compare/comparePanels');
  const { extensionUri, workspaceState, globalStorageUri } = context;
  return own.add(new ComparePanels(extensionUri, workspaceState, globalStorageUri, renders, log));
}

async function openQuickRender(own: Owned, services: Services): Promise<QuickRender> {
  const { QuickRender } = await import('./host/quickRender/quickRender');
  return own.add(new QuickRender(await withRenders(services)));
}

async function openPriceComparison(services: Services): Promise<ComparePrices> {
  const { ComparePrices } = await import('./host/prices/comparePrices');
  return new ComparePrices(await withRenders(services));
}

async function openSendSelection(own: Owned, services: Services): Promise<SendSelection> {
  const { SendSelection } = await import('./host/selection/sendSelection');
  return own.add(new SendSelection(await withRenders(services)));
}

async function openAgentTools(own: Owned, services: Services): Promise<Tools> {
  const { Tools } = await import('./host/tools/tools');
  return own.add(new Tools(await withRenders(services)));
}
