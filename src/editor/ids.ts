/**
 * The actions on renders (see `features/rendering/model/actions.ts`); each is a command that takes the render's item or
 * id, and the items selected with it.
 */
export const actionIds = [
  'reviewStaged',
  'sendPlanned',
  'discardPlanned',
  'openResult',
  'openToSide',
  'revealResult',
  'saveAs',
  'saveOriginal',
  'downloadAgain',
  'resolve',
  'compareWithService',
  'copyPath',
  'copyLink',
  'copyPrompt',
  'whatFits',
  'startTomorrow',
  'renderAgain',
  'changeAndTryAgain',
  'openInForm',
  'editImage',
  'useAsInput',
  'addEntry',
  'compareResults',
  'howMade',
  'markNotCharged',
  'markCharged',
  'removeMark',
  'moveToTrash',
  'deleteGeneration',
  'forgetGeneration',
] as const;

export type ActionId = (typeof actionIds)[number];

/** The actions on a text model's response; each is a command that takes the page that shows it, else the active one. */
export const responseWays = ['acceptAnswer', 'insertAnswerBelow', 'answerInNewFile', 'discardAnswer'] as const;

export type ResponseWay = (typeof responseWays)[number];

const commandNames = [
  ...actionIds,
  ...responseWays,
  'connect',
  'setApiKey',
  'disconnect',
  'useSandbox',
  'addPlayMoney',
  'accountMenu',
  'checkConnection',
  'copyCheck',
  'getStarted',
  'help',
  'openModel',
  'openGallery',
  'showSpend',
  'quickRender',
  'renderAndInsert',
  'renderSelection',
  'sendSelection',
  'renderMissing',
  'renderMissingImages',
  'renderEntries',
  'renderAllEntries',
  'fitEntries',
  'checkRenderFiles',
  'adoptImages',
  'newRenderFile',
  'addFileEntry',
  'addFormEntry',
  'addLinkEntry',
  'renderHere',
  'comparePrices',
  'render',
  'refresh',
  'refreshBalance',
  'refreshModels',
  'copyModelId',
  'addFavourite',
  'removeFavourite',
  'searchGenerations',
  'clearSearch',
  'showOlder',
  'forgetProject',
  'manageAgents',
  'connectAgent',
  'disconnectAgents',
  'openSettings',
  'showLog',
  'stopAgents',
  'showDetails',
  'renderFileAgain',
  'copyFilePrompt',
  'copyFileLink',
  'compareFiles',
  'comparePrevious',
  'compareHead',
] as const;

type CommandName = (typeof commandNames)[number];

/** Every command, once. An action's key is also the word in a tree item's context that enables it (see `abilities`). */
export const commands = Object.fromEntries(commandNames.map((name) => [name, `modelCatalog.${name}`])) as {
  readonly [Name in CommandName]: `modelCatalog.${Name}`;
};

export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  models: 'modelCatalog.models',
  generations: 'modelCatalog.generations',
  renderFiles: 'modelCatalog.renderFiles',
} as const;

/** The view container in the Activity Bar. */
export const container = 'modelCatalog';

/** The ID of this extension. */
export const extensionId = 'model-catalog.model-catalog';

/** The ID of the walkthrough. */
export const walkthrough = 'model-catalog.model-catalog#start';

/** The view type of the form's panels. */
export const formViewType = 'modelCatalog.form';

/** The scheme of the pages with the result of a connection check. */
export const checkScheme = 'model-catalog-check';

/** The view type of the gallery's panel. */
export const galleryViewType = 'modelCatalog.gallery';

/** The view type of the panels that compare images. */
export const compareViewType = 'modelCatalog.compare';

/** The view type of the spending panel. */
export const spendViewType = 'modelCatalog.spend';

/** The scheme of the documents that show a response in place of the selected text. */
export const responseScheme = 'model-catalog-answer';

/** The scheme of the pages that show what connecting an agent would change. */
export const agentScheme = 'model-catalog-agent';

/** The view type of the panels that show how a render or file was made. */
export const originViewType = 'modelCatalog.origin';

/** The language of all read-only pages: plain text, wrapped, without link detection. */
export const pageLanguage = 'model-catalog-page';

/** The prefix of the kinds of our drop and paste edits, for the editor’s settings that rank them. */
export const editKind = 'modelCatalog';

/** Keys of when-clauses, each with the values it takes. */
export const contextKeys = {
  /** `SessionState['status']`. */
  status: 'modelCatalog.status',
  /** True while the built-in sandbox is the service. */
  sandbox: 'modelCatalog.sandbox',
  /** The state of the Models view: see `modelsTree.ts`. */
  modelsView: 'modelCatalog.modelsView',
  /** True once a render's file was saved in this window: a step of the walkthrough. */
  hasRendered: 'modelCatalog.hasRendered',
  /** True while the Generations view shows search results. */
  searching: 'modelCatalog.searching',
  /** The folders that hold results, as paths: the Explorer offers some actions only there. */
  resultFolders: 'modelCatalog.resultFolders',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** The names of the tools for agents. */
export const toolNames = ['listModels', 'quote', 'render', 'checkRenders', 'findMissingImages'] as const;

export type ToolName = (typeof toolNames)[number];

/** Settings below the section `modelCatalog`. */
export const settingIds = {
  serviceUrl: 'serviceUrl',
  defaultModel: 'defaultModel',
  outputFolder: 'output.folder',
  outputFileName: 'output.fileName',
  metadata: 'metadata',
  missingImages: 'missingImages',
  fitMissingImages: 'fitMissingImages',
  notifications: 'notifications',
  confirmAbove: 'confirm.above',
  confirmAfterTotal: 'confirm.afterTotal',
  agentAllowance: 'allowance.agents',
  otherAllowance: 'allowance.others',
  limitPerDay: 'limit.perDay',
  limitPerProject: 'limit.perProject',
} as const;

/** Settings that aren't offered any longer. They're read for good, in their own units: people and projects set them. */
export const oldSettingIds = {
  baseUrl: 'baseUrl',
  provenance: 'provenance',
  provenancePrompt: 'provenancePrompt',
  fitToLinks: 'fitToLinks',
  confirmAbove: 'confirmAbove',
  confirmAfterCents: 'confirmAfter.cents',
  confirmAfterRenders: 'confirmAfter.renders',
  agentAllowance: 'agentAllowance',
  unattendedBudget: 'unattendedBudget',
  budgetPerDay: 'budget.perDay',
  budgetPerProject: 'budget.perProject',
  pollInterval: 'pollInterval',
  openBeside: 'openBeside',
  lowBalance: 'lowBalance',
} as const;

/** The name that each renamed setting had before. Its metadata had a second one: `provenancePrompt`. */
export const earlierIds = {
  [settingIds.serviceUrl]: oldSettingIds.baseUrl,
  [settingIds.metadata]: oldSettingIds.provenance,
  [settingIds.fitMissingImages]: oldSettingIds.fitToLinks,
  [settingIds.confirmAbove]: oldSettingIds.confirmAbove,
  [settingIds.confirmAfterTotal]: oldSettingIds.confirmAfterCents,
  [settingIds.agentAllowance]: oldSettingIds.agentAllowance,
  [settingIds.otherAllowance]: oldSettingIds.unattendedBudget,
  [settingIds.limitPerDay]: oldSettingIds.budgetPerDay,
  [settingIds.limitPerProject]: oldSettingIds.budgetPerProject,
} as const;

export type RenamedId = keyof typeof earlierIds;

export type SettingId =
  (typeof settingIds)[keyof typeof settingIds] | (typeof oldSettingIds)[keyof typeof oldSettingIds];

export const settingSection = 'modelCatalog';

/** The `viewItem` of a render in the tree and in the gallery: menus ask `viewItem =~ /\bopenResult\b/`. */
export function abilities(list: readonly ActionId[]): string {
  return ['render', ...list].join(' ');
}
