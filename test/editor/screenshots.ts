// `npm run screenshots`: makes the README's images and its animation in a real editor on the sandbox. `-- agents` makes
// a single scene, if it doesn't depend on others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../src/base/log';
import { removeFolder } from '../removeFolder';
import { writeAgent } from './agentExtension';
import { nodeWithSqlite } from './node';
import type { SceneName } from './pictures/scenes';
import { openWorkbench } from './workbench';

async function main(): Promise<void> {
  const node = await nodeWithSqlite();
  if (node === process.execPath) await makeImages();
  else
    [process.exitCode] = (await once(
      spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' }),
      'exit',
    )) as [number];
}

async function makeImages(): Promise<void> {
  // The render history needs the newer Node.
  const [{ Scenes }, { writeProject, agentCalls }] = await Promise.all([
    import('./pictures/scenes'),
    import('./pictures/project'),
  ]);
  const parent = await mkdtemp(join(tmpdir(), 'model-catalog-screenshots-'));
  const workspace = join(parent, 'website');
  await mkdir(workspace);
  await writeProject(workspace);
  await writeAgent(join(parent, 'agent'), agentCalls);
  const settings = {
    'modelCatalog.notifications': 'never',
    'files.autoSave': 'afterDelay',
    'files.autoSaveDelay': 50,
    'editor.cursorBlinking': 'solid',
    'editor.minimap.enabled': false,
    'breadcrumbs.enabled': false,
  };
  const workbench = await openWorkbench({ version: 'latest', workspace, settings, beside: [join(parent, 'agent')] });
  try {
    const names = process.argv.slice(2) as SceneName[];
    const scenes = new Scenes(workbench);
    const failed = await (names.length > 0 ? scenes.make(names) : scenes.all());
    if (failed.length > 0) throw new Error(`left as they were: ${failed.join(', ')}`);
  } finally {
    await workbench.close();
    await removeFolder(parent);
  }
}

main().catch((error: unknown) => {
  console.error(`The screenshots could not be made: ${reasonOf(error)}`);
  process.exit(1);
});
