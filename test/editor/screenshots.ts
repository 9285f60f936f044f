// `npm run screenshots`: makes all images of the README, and the animation at its top, in a real editor on the sandbox.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../src/base/errors';
import { nodeWithSqlite } from './node';
import { openWorkbench } from './workbench';

async function main(): Promise<void> {
  const node = await nodeWithSqlite();
  if (node === process.execPath) await makePictures();
  else [process.exitCode] = (await once(spawn(node, [__filename], { stdio: 'inherit' }), 'exit')) as [number];
}

async function makePictures(): Promise<void> {
  // The render history needs the newer Node.
  const [{ Scenes }, { writeProject }] = await Promise.all([import('./pictures/scenes'), import('./pictures/project')]);
  const parent = await mkdtemp(join(tmpdir(), 'model-catalog-screenshots-'));
  const workspace = join(parent, 'website');
  await mkdir(workspace);
  await writeProject(workspace);
  const settings = {
    'modelCatalog.notifications': 'never',
    'files.autoSave': 'afterDelay',
    'files.autoSaveDelay': 50,
    'editor.cursorBlinking': 'solid',
    'editor.minimap.enabled': false,
    'breadcrumbs.enabled': false,
  };
  const workbench = await openWorkbench({ version: 'latest', workspace, settings });
  try {
    const failed = await new Scenes(workbench).all();
    if (failed.length > 0) throw new Error(`left as they were: ${failed.join(', ')}`);
  } finally {
    await workbench.close();
    await rm(parent, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(`The screenshots could not be made: ${reasonOf(error)}`);
  process.exit(1);
});
