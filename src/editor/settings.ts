import * as vscode from 'vscode';
import type { ProxySettings } from '../catalog/transport';
import { type Amount, fitSetting, limitIn, metadataIn, userAmount, whole, type SetValues } from './settingValues';
import { lowestLimit } from '../renders/lowestLimit';
import type { FitMode } from '../files/fit/fit';
import { mostPrivate, type ProvenancePlace, type ProvenancePolicy } from '../renders/provenancePolicy';
import type { PaceLimits } from '../renders/consent';
import { earlierIds, oldSettingIds, type RenamedId, settingIds, settingSection, type SettingId } from './ids';

export type Notifications = 'unseen' | 'always' | 'failures' | 'never';

/** The settings as validated values: wrong types and values out of range count as not set. */
export class Settings {
  private readonly changed = new vscode.EventEmitter<ReadonlySet<SettingId>>();
  private readonly listening = vscode.workspace.onDidChangeConfiguration((event) => this.tell(event));

  /**
   * Which of our settings changed: a renamed one also under its earlier name. Also fires, with an empty set, when the
   * editor's proxy settings changed.
   */
  readonly onDidChange = this.changed.event;

  /** As typed; empty means the sandbox. User settings only. */
  get serviceUrl(): string {
    const { now, before } = userWritten(settingIds.serviceUrl);
    const value = now ?? before;
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Writes the user setting; empty for the sandbox. What the earlier name says doesn't count any longer. */
  async setServiceUrl(base: string): Promise<void> {
    const isUnderOldName = userValue(oldSettingIds.baseUrl) !== undefined;
    await writeSetting(settingIds.serviceUrl, base || (isUnderOldName ? '' : undefined));
    if (isUnderOldName) await writeSetting(oldSettingIds.baseUrl, undefined);
  }

  /** Cents above which our own gestures need confirmation. User settings only. */
  get confirmAbove(): number {
    return userAmount(userWritten(settingIds.confirmAbove), 50);
  }

  /** Cents that may be spent without confirmation in one window, except by agents' tools. User settings only. */
  get unattendedBudget(): number {
    return userAmount(userWritten(settingIds.otherAllowance), 0);
  }

  /** Cents of the allowance that an agent's question offers for the window; 0 for none. User settings only. */
  get agentAllowance(): number {
    return userAmount(userWritten(settingIds.agentAllowance), 200);
  }

  /** The limits on renders without a new confirmation. User settings only. */
  get confirmAfter(): PaceLimits {
    return {
      renders: whole(userValue(oldSettingIds.confirmAfterRenders)) ?? 20,
      cents: userAmount(userWritten(settingIds.confirmAfterTotal), 500, true),
    };
  }

  /**
   * Cents a day for renders of a folder (URI); undefined for no limit. The lowest of user, workspace, and folder
   * applies.
   */
  budgetPerDay(root: string | undefined): number | undefined {
    return lowest(limitsSet(settingIds.limitPerDay, root));
  }

  /**
   * Cents for the project in a folder (URI); undefined for no limit. The lowest of user, workspace, and folder applies.
   */
  budgetPerProject(root: string | undefined): number | undefined {
    return lowest(limitsSet(settingIds.limitPerProject, root));
  }

  /** As typed; validated on use. */
  outputFolder(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFolder, resource, 'renders');
  }

  /** As typed; validated on use. */
  outputFileName(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFileName, resource, '${slug}');
  }

  /**
   * The place where results for a folder (URI) record how they were made. Of the user's and the project's setting, the
   * more private applies; `ordered` was recorded where it was ordered.
   */
  provenance(root: string | undefined, ordered?: ProvenancePlace): ProvenancePlace {
    return mostPrivate([...metadataSet(root).map(({ place }) => place), ordered]);
  }

  /** Whether results for a folder (URI) include their prompt. Either the user or the project can turn it off. */
  provenancePrompt(root: string | undefined): boolean {
    return metadataSet(root).every(({ prompt }) => prompt);
  }

  /** The ID of the model that quick renders and links start with; empty for the last one used. */
  get defaultModel(): string {
    return text(settingIds.defaultModel, undefined, '').trim();
  }

  /** Whether documents offer to render their missing images. */
  missingImages(resource: vscode.Uri): boolean {
    return isOn(settingIds.missingImages, resource);
  }

  /** How missing images get the size that their documents state. */
  fitMissingImages(resource: vscode.Uri): FitMode | 'none' {
    return fitSetting(written(settingIds.fitMissingImages, resource.toString()).reverse());
  }

  /** Whether the result of a quick render opens next to the editor. */
  get openBeside(): boolean {
    return isOn(oldSettingIds.openBeside);
  }

  /** Milliseconds between two polls of renders in progress, 2,000 to 60,000. */
  get pollIntervalMs(): number {
    const seconds: unknown = section().get(oldSettingIds.pollInterval);
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return 3000;
    return Math.round(Math.min(60, Math.max(2, seconds)) * 1000);
  }

  get notifications(): Notifications {
    const value: unknown = section().get(settingIds.notifications);
    return value === 'always' || value === 'failures' || value === 'never' ? value : 'unseen';
  }

  /** From now on only failures are reported, not saved results. Writes the user setting. */
  async showFailuresOnly(): Promise<void> {
    const failures: Notifications = 'failures';
    await writeSetting(settingIds.notifications, failures);
  }

  /** Cents below which the balance is marked as low. User settings only. */
  get lowBalance(): number {
    return whole(userValue(oldSettingIds.lowBalance)) ?? 100;
  }

  /** The editor's, as the user set them: neither a workspace nor a machine can redirect requests through a proxy. */
  get proxy(): ProxySettings {
    const http = vscode.workspace.getConfiguration('http');
    const own = (id: string): unknown => ownValue(http.inspect(id)) ?? http.inspect(id)?.defaultValue;
    const [proxy, noProxy, authorization] = [own('proxy'), own('noProxy'), own('proxyAuthorization')];
    const hosts = Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [];
    return {
      httpProxy: own('proxySupport') === 'off' ? '' : typeof proxy === 'string' && proxy !== '' ? proxy : undefined,
      noProxy: hosts.length > 0 ? hosts : undefined,
      strictSSL: own('proxyStrictSSL') !== false,
      authorization: typeof authorization === 'string' && authorization !== '' ? authorization : undefined,
    };
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private tell(event: vscode.ConfigurationChangeEvent): void {
    const isAffected = (id: SettingId) => event.affectsConfiguration(`${settingSection}.${id}`);
    const renamed = (Object.keys(earlierIds) as RenamedId[]).filter((id) => isAffected(earlierIds[id]));
    const ids = [...Object.values(settingIds), ...Object.values(oldSettingIds)].filter(isAffected);
    const changed = new Set<SettingId>([...ids, ...renamed]);
    if (changed.size > 0 || event.affectsConfiguration('http')) this.changed.fire(changed);
  }
}

function section(resource?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(settingSection, resource);
}

function resourceOf(root: string | undefined): vscode.Uri | undefined {
  return root === undefined ? undefined : vscode.Uri.parse(root);
}

/** The user's own value: no workspace or machine can override it, whatever scope the editor allows. */
export function userValue(id: SettingId): unknown {
  return ownValue(inspect(id));
}

/** The same under both names. */
export function userWritten(id: RenamedId): SetValues {
  return { now: userValue(id), before: userValue(earlierIds[id]) };
}

/**
 * Two undocumented properties: a user's own settings, and those of the connected machine, where a repository's
 * `devcontainer.json` writes too. `globalValue` merges both, and the machine's win, even for settings that only the
 * person may set: the editor drops those of a machine by their dotted names alone.
 */
interface Inspected {
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** What each scope sets. */
export function inspect(id: SettingId, resource?: vscode.Uri): Inspected {
  return section(resource).inspect(id) ?? {};
}

/** True if the user has set something under an earlier name: see `carryOver.ts`. */
export function usesEarlierNames(): boolean {
  // One reading of all: each takes the editor as long as several inspections.
  const own = section();
  const earlier = [...Object.values(earlierIds), oldSettingIds.provenancePrompt];
  return earlier.some((id) => (own.inspect(id) as Inspected | undefined)?.globalLocalValue !== undefined);
}

/** In a profile of its own, the user's settings for all profiles are in `globalValue` alone. */
function ownValue({ globalLocalValue, globalRemoteValue, globalValue }: Inspected = {}): unknown {
  return globalLocalValue === undefined && globalRemoteValue === undefined ? globalValue : globalLocalValue;
}

/** The values set by person, machine, both, workspace, and folder (URI), in this order; undefined where not set. */
function valuesSet(id: SettingId, root: string | undefined, isTrusted = true): unknown[] {
  const found = inspect(id, resourceOf(root));
  const ofProject = isTrusted ? [found.workspaceValue, found.workspaceFolderValue] : [];
  return [found.globalLocalValue, found.globalRemoteValue, found.globalValue, ...ofProject];
}

/** The same under both names. */
function written(id: RenamedId, root: string | undefined, isTrusted = true): SetValues[] {
  const before = valuesSet(earlierIds[id], root, isTrusted);
  return valuesSet(id, root, isTrusted).map((now, scope) => ({ now, before: before[scope] }));
}

/** What each scope lets results of a folder (URI) record. */
function metadataSet(root: string | undefined): ProvenancePolicy[] {
  const prompts = valuesSet(oldSettingIds.provenancePrompt, root);
  return written(settingIds.metadata, root).map((set, scope) => metadataIn(set, prompts[scope]));
}

export type LimitId = typeof settingIds.limitPerDay | typeof settingIds.limitPerProject;

/** A limit as each scope sets it for a folder (URI): a project only once it's trusted. */
export function limitsWritten(id: LimitId, root: string | undefined): readonly SetValues[] {
  return written(id, root, vscode.workspace.isTrusted);
}

function limitsSet(id: LimitId, root: string | undefined): Amount[] {
  return limitsWritten(id, root).map(limitIn);
}

/** Within a limit that can't be read, nothing can be spent. */
export function lowest(set: readonly Amount[]): number | undefined {
  return lowestLimit(set.map((limit) => (limit === 'unreadable' ? 0 : limit)));
}

function text(id: SettingId, resource: vscode.Uri | undefined, otherwise: string): string {
  // In Restricted Mode older editors drop a project's dotted keys, but accept nested ones.
  const value: unknown = vscode.workspace.isTrusted ? section(resource).get(id) : userValue(id);
  return typeof value === 'string' ? value : otherwise;
}

/** For settings that are on by default. */
function isOn(id: SettingId, resource?: vscode.Uri): boolean {
  return section(resource).get<unknown>(id) !== false;
}

/** Writes the user setting. */
export function writeSetting(id: SettingId, value: string | undefined): Thenable<void> {
  return section().update(id, value, vscode.ConfigurationTarget.Global);
}
