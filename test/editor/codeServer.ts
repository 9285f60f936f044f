import { readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { cached } from './cache';
import { nodeOfMajor } from './node';
import { npmInstall } from './npm';
import { letItLog } from './plainLog';
import { lastWords, start, stop } from './processes';

/** The oldest VS Code the extension promises to run in, and one near the newest. */
export type Version = 'min' | 'latest';

/** Each as a server in the npm registry, the VS Code in it, and the Node that one ships with. */
export const releases = {
  min: { codeServer: '4.105.1', vscode: '1.105.1', node: 22 },
  latest: { codeServer: '4.139.1', vscode: '1.139.1', node: 24 },
} as const;

export interface ServerOptions {
  version: Version;
  /** Holds the user's settings and the extensions' storage. */
  userData: string;
  extensions: string;
  /** Loads an extension from its source and runs its tests; VS Code shows no toast and no modal dialog then. */
  testing: boolean;
  env?: NodeJS.ProcessEnv;
}

export interface Server {
  port: number;
  /** What a browser must bring along to be let in. */
  token: string;
  /** The id of the process in which the extensions of the last window run; undefined while none was started. */
  extensionHost(): number | undefined;
  stop(): Promise<void>;
}

/** Installs VS Code as a server into the cache, if it is not there; resolves to the folder of its program. */
export async function obtainServer(version: Version): Promise<string> {
  const { codeServer } = releases[version];
  const inside = join('node_modules', 'code-server', 'lib', 'vscode');
  const [folder] = await Promise.all([
    cached(`code-server@${codeServer}`, async (into) => {
      await npmInstall(into, `code-server@${codeServer}`);
      await takeFromRegistryAlone(join(into, inside));
      await npmInstall(join(into, inside));
    }),
    nodeOfMajor(releases[version].node),
  ]);
  await letItLog(join(folder, inside));
  return join(folder, inside);
}

/** One dependency of the older release comes from a git address, which the shrinkwrap repeats. */
async function takeFromRegistryAlone(vscode: string): Promise<void> {
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  if (!manifest.dependencies['@parcel/watcher']?.includes('#')) return;
  manifest.dependencies['@parcel/watcher'] = '2.5.1';
  await writeFile(file, JSON.stringify(manifest));
  await rm(join(vscode, 'npm-shrinkwrap.json'), { force: true });
}

/**
 * Starts VS Code as a server on loopback; resolves when it listens, rejects with its last words when it ends before.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const vscode = await obtainServer(options.version);
  const token = randomUUID();
  const flags = [
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token, '--accept-server-license-terms'],
    ...['--server-data-dir', options.userData, '--user-data-dir', options.userData],
    ...['--extensions-dir', options.extensions, '--telemetry-level', 'off'],
    ...(options.testing ? ['--enable-smoke-test-driver'] : []),
  ];
  const program = start(
    await nodeOfMajor(releases[options.version].node),
    [join(vscode, 'out', 'server-main.js'), ...flags],
    { ...process.env, ...options.env },
  );
  const words = lastWords(program);
  let host: number | undefined;
  program.stdout.on('data', (data: Buffer) => {
    const launched = /<(\d+)> Launched Extension Host Process/.exec(data.toString());
    if (launched) host = Number(launched[1]);
  });
  const port = await new Promise<number>((resolve, reject) => {
    program.stdout.on('data', () => {
      const listening = /listening on (\d+)/.exec(words());
      if (listening) resolve(Number(listening[1]));
    });
    program.once('exit', () => reject(new Error(`VS Code ended before it listened: ${words()}`)));
  });
  return { port, token, extensionHost: () => host, stop: () => stop(program) };
}
