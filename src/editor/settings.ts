import * as vscode from 'vscode';
import type { ProxySettings } from '../catalog/transport';
import { lowestLimit } from '../renders/lowestLimit';
import type { FitMode } from '../files/fit/fit';
import { leastTold, type ProvenancePlace } from '../renders/provenancePlace';
import type { PaceLimits } from '../renders/consent';
import { settingIds, settingSection, type SettingId } from './ids';

export type Notifications = 'always' | 'failures' | 'never';

/** The settings as validated values: wrong types and values out of range count as not set. */
export class Settings {
  private readonly changed = new vscode.EventEmitter<ReadonlySet<SettingId>>();
  private readonly listening = vscode.workspace.onDidChangeConfiguration((event) => this.tell(event));

  /** Which of our settings changed; also fires, with an empty set, when the editor's proxy settings changed. */
  readonly onDidChange = this.changed.event;

  /** As typed; empty means the sandbox. User settings only. */
  get baseUrl(): string {
    const value = userValue(settingIds.baseUrl);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Writes the user setting; empty for the sandbox. */
  async setBaseUrl(base: string): Promise<void> {
    await write(settingIds.baseUrl, base || undefined);
  }

  /** Cents above which our own gestures need confirmation. User settings only. */
  get confirmAbove(): number {
    return amount(settingIds.confirmAbove, 50);
  }

  /** Cents that may be spent without confirmation in one window. User settings only. */
  get unattendedBudget(): number {
    return amount(settingIds.unattendedBudget, 0);
  }

  /** Cents of the allowance that an agent's question offers for the window; 0 for none. User settings only. */
  get agentAllowance(): number {
    return amount(settingIds.agentAllowance, 200);
  }

  /** The limits on renders without a new confirmation. User settings only. */
  get confirmAfter(): PaceLimits {
    return {
      renders: amount(settingIds.confirmAfterRenders, 20),
      cents: amount(settingIds.confirmAfterCents, 500),
    };
  }

  /**
   * Cents a day for renders of a folder (URI); undefined for no limit. The lowest of user, workspace, and folder
   * applies.
   */
  budgetPerDay(root: string | undefined): number | undefined {
    return lowest(settingIds.budgetPerDay, root);
  }

  /**
   * Cents for the project in a folder (URI); undefined for no limit. The lowest of user, workspace, and folder applies.
   */
  budgetPerProject(root: string | undefined): number | undefined {
    return lowest(settingIds.budgetPerProject, root);
  }

  /** As typed; validated on use. */
  outputFolder(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFolder, resource, 'renders');
  }

  /** As typed; validated on use. */
  outputFileName(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFileName, resource, '${slug}-${model}');
  }

  /**
   * The place where results for a folder (URI) record how they were made. Of the user's and the project's setting, the
   * more private applies; `ordered` was recorded where it was ordered.
   */
  provenance(root: string | undefined, ordered?: ProvenancePlace): ProvenancePlace {
    return leastTold([...valuesSet(settingIds.provenance, root), ordered]);
  }

  /** Whether results for a folder (URI) include their prompt. Either the user or the project can turn it off. */
  provenancePrompt(root: string | undefined): boolean {
    return !valuesSet(settingIds.provenancePrompt, root).includes(false);
  }

  /** The ID of the model that quick renders and links start with; empty for the last one used. */
  get defaultModel(): string {
    return text(settingIds.defaultModel, undefined, '').trim();
  }

  /** Whether documents offer to render their missing images. */
  missingImages(resource: vscode.Uri): boolean {
    return isOn(settingIds.missingImages, resource);
  }

  /** How the images of links get the size that their documents state. */
  fitToLinks(resource: vscode.Uri): FitMode | 'none' {
    const value: unknown = section(resource).get(settingIds.fitToLinks);
    return value === 'contain' || value === 'none' ? value : 'cover';
  }

  /** Whether the result of a quick render opens next to the editor. */
  get openBeside(): boolean {
    return isOn(settingIds.openBeside);
  }

  /** Milliseconds between two polls of renders in progress, 2,000 to 60,000. */
  get pollIntervalMs(): number {
    const seconds: unknown = section().get(settingIds.pollInterval);
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return 3000;
    return Math.round(Math.min(60, Math.max(2, seconds)) * 1000);
  }

  get notifications(): Notifications {
    const value: unknown = section().get(settingIds.notifications);
    return value === 'failures' || value === 'never' ? value : 'always';
  }

  /** From now on only failures are reported, not saved results. Writes the user setting. */
  async showFailuresOnly(): Promise<void> {
    const failures: Notifications = 'failures';
    await write(settingIds.notifications, failures);
  }

  /** Cents below which the balance is marked as low. User settings only. */
  get lowBalance(): number {
    return amount(settingIds.lowBalance, 100);
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
    const changed = Object.values(settingIds).filter((id) => event.affectsConfiguration(`${settingSection}.${id}`));
    if (changed.length > 0 || event.affectsConfiguration('http')) this.changed.fire(new Set(changed));
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
  return ownValue(section().inspect(id));
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

/** In a profile of its own, the user's settings for all profiles are in `globalValue` alone. */
function ownValue({ globalLocalValue, globalRemoteValue, globalValue }: Inspected = {}): unknown {
  return globalLocalValue === undefined && globalRemoteValue === undefined ? globalValue : globalLocalValue;
}

/** The values set by person, machine, workspace, and folder (URI); undefined where not set. */
function valuesSet(id: SettingId, root: string | undefined, isTrusted = true): unknown[] {
  const found: Inspected = section(resourceOf(root)).inspect(id) ?? {};
  const ofProject = isTrusted ? [found.workspaceValue, found.workspaceFolderValue] : [];
  return [found.globalLocalValue, found.globalRemoteValue, found.globalValue, ...ofProject];
}

/** The values of a limit that count for renders of a folder (URI): those of a project only once it's trusted. */
export function limitsSet(id: SettingId, root: string | undefined): unknown[] {
  return valuesSet(id, root, vscode.workspace.isTrusted);
}

function lowest(id: SettingId, root: string | undefined): number | undefined {
  return lowestLimit(limitsSet(id, root));
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
function write(id: SettingId, value: string | undefined): Thenable<void> {
  return section().update(id, value, vscode.ConfigurationTarget.Global);
}

/** The user's own amount. Anything else stops renders, so that the default isn't spent by. */
function amount(id: SettingId, otherwise: number): number {
  return whole(userValue(id)) ?? otherwise;
}

/** A whole number of at least 0; undefined for anything else. */
export function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
