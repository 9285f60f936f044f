import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeFolder } from '../removeFolder';
import { searchTraces } from './traces';

/** User settings; VS Code has a default for any other. */
export type Settings = Record<string, unknown>;

/** A keyboard shortcut and its command. */
export interface Keybinding {
  /** In VS Code's notation: `ctrl+f8`. */
  readonly key: string;
  readonly command: string;
  readonly args?: unknown;
}

/**
 * VS Code's own color themes: their names in the settings, their entries in the picker, and their mark on the window.
 */
export const themes = {
  dark: { setting: 'Default Dark Modern', label: 'Dark Modern', shown: 'vs-dark' },
  light: { setting: 'Default Light Modern', label: 'Light Modern', shown: 'vs' },
  hcDark: { setting: 'Default High Contrast', label: 'Dark High Contrast', shown: 'hc-black' },
  hcLight: { setting: 'Default High Contrast Light', label: 'Light High Contrast', shown: 'hc-light' },
} as const;
export type Theme = keyof typeof themes;

/** An editor that asks nothing, downloads nothing, and looks the same everywhere. */
const quiet: Settings = {
  'workbench.colorTheme': themes.dark.setting,
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.experimentalOnboarding': false,
  'workbench.reduceMotion': 'on',
  // A webview that takes the focus as it loads mustn't close what a test has opened.
  'workbench.quickOpen.closeOnFocusLost': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
};

/** A user's folders for one run of an editor, in the system's folder for temporary files. */
export class Profile {
  readonly userData: string;
  readonly extensions: string;
  /** The entries in the editor's list of extensions. */
  private readonly installed: unknown[] = [];

  private constructor(
    private readonly folder: string,
    private settings: Settings,
  ) {
    this.userData = join(folder, 'user');
    this.extensions = join(folder, 'extensions');
  }

  static async create(settings: Settings = {}): Promise<Profile> {
    const profile = new Profile(await mkdtemp(join(tmpdir(), 'model-catalog-')), { ...quiet });
    await mkdir(profile.extensions, { recursive: true });
    await mkdir(join(profile.userData, 'User'), { recursive: true });
    await profile.set(settings);
    return profile;
  }

  /** A new, empty folder that is removed with the profile. */
  async folderFor(name: string): Promise<string> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /**
   * Changes the user's settings. Call before a window opens, since older releases are slow to notice changes on disk.
   */
  async set(settings: Settings): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    await writeFile(join(this.userData, 'User', 'settings.json'), JSON.stringify(this.settings, undefined, 2));
  }

  /** Changes the settings of the machine that a window is connected to. Call before one opens. */
  async setForMachine(settings: Settings): Promise<void> {
    const folder = join(this.userData, 'Machine');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings, undefined, 2));
  }

  /** Sets the user's keyboard shortcuts. Call before a window opens. */
  async bind(keybindings: readonly Keybinding[]): Promise<void> {
    await writeFile(join(this.userData, 'User', 'keybindings.json'), JSON.stringify(keybindings, undefined, 2));
  }

  /** Installs the extension from `folder` without copying it. */
  async install(folder: string): Promise<void> {
    const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const relativeLocation = `${publisher}.${name}-${version}`;
    const location = join(this.extensions, relativeLocation);
    if (existsSync(location)) return;
    await symlink(folder, location, 'junction');
    const entry = {
      identifier: { id: `${publisher}.${name}` },
      version,
      location: { $mid: 1, path: pathToFileURL(location).pathname, scheme: 'file' },
      relativeLocation,
    };
    this.installed.push(entry);
    await writeFile(join(this.extensions, 'extensions.json'), JSON.stringify(this.installed));
  }

  /** Removes the folders; rejects if the tests' key is anywhere in them. */
  async dispose(): Promise<void> {
    try {
      searchTraces(this.folder);
    } finally {
      // An editor that has just ended may hold a file open for a moment.
      await removeFolder(this.folder);
    }
  }
}
