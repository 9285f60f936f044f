import * as vscode from 'vscode';
import type { ProxySettings } from '../catalog/transport';
import { lowestLimit } from '../renders/lowestLimit';
import { leastTold, type ProvenancePlace } from '../renders/provenancePlace';
import type { PaceLimits } from '../renders/spending';
import { settingIds, settingSection, type SettingId } from '../app/ids';

export type Notifications = 'always' | 'failures' | 'never';

/** The settings as values that can be used as they are: wrong types and values out of range count as not set. */
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
    const value = base === '' ? undefined : base;
    await section().update(settingIds.baseUrl, value, vscode.ConfigurationTarget.Global);
  }

  /** Cents above which our own gestures ask once more. User settings only. */
  get confirmAbove(): number {
    return whole(userValue(settingIds.confirmAbove)) ?? 50;
  }

  /** Cents that may be spent without asking in one window. User settings only. */
  get unattendedBudget(): number {
    return whole(userValue(settingIds.unattendedBudget)) ?? 0;
  }

  /** Cents that a question of an agent offers to allow agents in one window; 0 for nothing. User settings only. */
  get agentAllowance(): number {
    return whole(userValue(settingIds.agentAllowance)) ?? 200;
  }

  /** What may go by before a person is asked whether to go on. User settings only. */
  get confirmAfter(): PaceLimits {
    return {
      renders: whole(userValue(settingIds.confirmAfterRenders)) ?? 20,
      cents: whole(userValue(settingIds.confirmAfterCents)) ?? 500,
    };
  }

  /**
   * Cents a day for what is rendered for a folder (URI); undefined for no limit. The lowest of user, workspace and
   * folder counts.
   */
  budgetPerDay(root: string | undefined): number | undefined {
    return lowest(settingIds.budgetPerDay, root);
  }

  /**
   * Cents for the project in a folder (URI); undefined for no limit. The lowest of user, workspace and folder counts.
   */
  budgetPerProject(root: string | undefined): number | undefined {
    return lowest(settingIds.budgetPerProject, root);
  }

  /** As typed; checked where it is used. */
  outputFolder(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFolder, resource, 'renders');
  }

  /** As typed; checked where it is used. */
  outputFileName(resource: vscode.Uri | undefined): string {
    return text(settingIds.outputFileName, resource, '${slug}-${model}');
  }

  /**
   * Where results for a folder (URI) tell how they were made. Of the user's setting and the project's, the one that
   * tells less counts.
   */
  provenance(root: string | undefined): ProvenancePlace {
    return leastTold(valuesSet(settingIds.provenance, root));
  }

  /** Whether results for a folder (URI) tell their prompt. Whoever says no, user or project, is heard. */
  provenancePrompt(root: string | undefined): boolean {
    return !valuesSet(settingIds.provenancePrompt, root).includes(false);
  }

  /** Whether documents offer to render the images they name that are not there. */
  missingImages(resource: vscode.Uri): boolean {
    return section(resource).get<unknown>(settingIds.missingImages) !== false;
  }

  /** Milliseconds between two looks at renders under way, 2,000 to 60,000. */
  get pollIntervalMs(): number {
    const seconds: unknown = section().get(settingIds.pollInterval);
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return 3000;
    return Math.round(Math.min(60, Math.max(2, seconds)) * 1000);
  }

  get notifications(): Notifications {
    const value: unknown = section().get(settingIds.notifications);
    return value === 'failures' || value === 'never' ? value : 'always';
  }

  /** No word of what is saved from now on, only of what fails. Writes the user setting. */
  async showFailuresOnly(): Promise<void> {
    const failures: Notifications = 'failures';
    await section().update(settingIds.notifications, failures, vscode.ConfigurationTarget.Global);
  }

  /** Cents below which the balance is marked as low. */
  get lowBalance(): number {
    return whole(section().get(settingIds.lowBalance)) ?? 100;
  }

  /** The editor's, as the person set them: a workspace cannot send requests through a proxy of its own. */
  get proxy(): ProxySettings {
    const http = vscode.workspace.getConfiguration('http');
    const own = (id: string): unknown => http.inspect(id)?.globalValue ?? http.inspect(id)?.defaultValue;
    const [proxy, noProxy] = [own('proxy'), own('noProxy')];
    const hosts = Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [];
    return {
      httpProxy: own('proxySupport') === 'off' ? '' : typeof proxy === 'string' && proxy !== '' ? proxy : undefined,
      noProxy: hosts.length > 0 ? hosts : undefined,
      strictSSL: own('proxyStrictSSL') !== false,
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

/** What the person set for themselves: no workspace has a say in it, whatever the editor makes of the scope. */
function userValue(id: SettingId): unknown {
  return section().inspect(id)?.globalValue;
}

/**
 * What editors tell besides what their typings say: a person's own settings, and those of the machine that is connected
 * to, where a repository's `devcontainer.json` writes too. `globalValue` holds both, and the machine's win.
 */
interface Inspected {
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

function inspect(id: SettingId, root: string | undefined): Inspected {
  return section(resourceOf(root)).inspect(id) ?? {};
}

function ofPerson({ globalLocalValue, globalRemoteValue, globalValue }: Inspected): unknown[] {
  return [globalLocalValue, globalRemoteValue, globalValue];
}

/** What person, machine, workspace and folder set, undefined for those that set nothing. */
function valuesSet(id: SettingId, root: string | undefined): unknown[] {
  const found = inspect(id, root);
  return [...ofPerson(found), found.workspaceValue, found.workspaceFolderValue];
}

function lowest(id: SettingId, root: string | undefined): number | undefined {
  const found = inspect(id, root);
  const ofProject = vscode.workspace.isTrusted ? [found.workspaceValue, found.workspaceFolderValue] : [];
  return lowestLimit([...ofPerson(found), ...ofProject]);
}

function text(id: SettingId, resource: vscode.Uri | undefined, otherwise: string): string {
  // In Restricted Mode older editors leave out what a project writes with dots, and take what it nests.
  const value: unknown = vscode.workspace.isTrusted ? section(resource).get(id) : userValue(id);
  return typeof value === 'string' ? value : otherwise;
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
