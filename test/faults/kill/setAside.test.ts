import assert from 'node:assert/strict';
import { open, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sha256 } from './account';
import { delivered } from './delivered';
import { openProject } from './openAccount';
import type { Ending } from './programs';
import type { Project } from './project';

/** Damages a table without renders, so that an open window doesn't notice, but every newly opened one does. */
async function damage({ ledgerPath }: Project): Promise<void> {
  const ledger = new DatabaseSync(ledgerPath, { readOnly: true });
  const at = (sql: string) => Object.values(ledger.prepare(sql).get() ?? {}).map(Number)[0] ?? 0;
  const page = at("SELECT rootpage FROM sqlite_schema WHERE name = 'balances'");
  const size = at('PRAGMA page_size');
  ledger.close();
  const file = await open(ledgerPath, 'r+');
  await file.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await file.close();
}

/** The state of the ledger that a window found. */
function found({ told }: Ending) {
  const opened = told.find((one) => 'opened' in one);
  assert.ok(opened, 'the ledger was opened');
  return opened;
}

/** The user was told once that this window's ledger is no longer in use. */
function assertTold({ told }: Ending): void {
  assert.deepEqual(
    told.flatMap((one) => ('trouble' in one ? [one.trouble] : [])),
    ['setAside'],
  );
}

/** A project whose ledger has one render, checkpointed into one file. */
async function usedProject(...[t]: Parameters<typeof openProject>): Promise<Project> {
  const project = await openProject(t);
  project.wish('text');
  await project.run();
  await project.records();
  return project;
}

test('a render in progress when another window finds the ledger damaged is charged once and delivered, and both persons are told', async (t) => {
  const project = await usedProject(t);
  const under = project.wish('picture');
  const here = project.open({ wishes: [under], stopAt: 'the answer to the order begins' });
  await here.stops;
  await damage(project);
  const later = project.wish('picture');
  const there = await project.openBeside({ wishes: [later] }).ended;
  assert.equal(found(there).setAside, project.ledgerPath);
  assert.deepEqual(found(there).opened, []);

  here.keepGoing();
  const ending = await here.ended;
  assertTold(ending);
  const [end] = ending.told.slice(-1);
  assert.ok(end && 'ended' in end);
  const saved = end.ended.find(({ key }) => key === under.intent);
  assert.equal(saved?.state, 'saved');
  const [charged] = project.charged().filter(({ intent }) => intent === under.intent);
  assert.equal(sha256(delivered(await readFile(fileURLToPath(saved.file ?? '')))), charged?.sha256);
  assert.deepEqual(
    project.charged().map(({ charges }) => charges),
    [1, 1, 1],
  );
  assert.deepEqual(
    (await project.records()).map(({ key, state }) => [key, state]),
    [[later.intent, 'saved']],
    'the new ledger is whole',
  );
});

test('a render ordered after another window found the ledger damaged isn’t sent, and the user is told why', async (t) => {
  const project = await usedProject(t);
  const refused = project.wish('picture');
  const here = project.open({ wishes: [refused], stopAt: 'before planned is recorded' });
  await here.stops;
  await damage(project);
  const later = project.wish('picture');
  await project.openBeside({ wishes: [later] }).ended;
  here.keepGoing();
  const ending = await here.ended;
  assertTold(ending);
  assert.ok(ending.told.some((one) => 'notOrdered' in one && one.intent === refused.intent));
  assert.deepEqual(
    project.charged().map(({ intent, charges }) => [intent, charges]),
    [project.wishes[0]!, later].map(({ intent }) => [intent, 1]),
  );

  // After a reload the window knows what the others know, and the user orders there.
  await project.open({ wishes: [refused, later] }).ended;
  assert.equal(project.charged().filter(({ intent, charges }) => intent === refused.intent && charges === 1).length, 1);
});

test('windows that open at the same time and find the ledger damaged continue in one new ledger, and each decision is one charge', async (t) => {
  const project = await usedProject(t);
  await damage(project);
  const wishes = (['picture', 'text', 'failing'] as const).map((kind) => project.wish(kind));
  const windows = [project.open({ wishes }), project.openBeside({ wishes }), project.openBeside({ wishes })];
  const endings = await Promise.all(windows.map(({ ended }) => ended));
  for (const ending of endings) {
    assert.equal(found(ending).setAside, project.ledgerPath);
    assert.deepEqual(
      ending.told.filter((one) => 'notOrdered' in one || ('trouble' in one && one.trouble === 'setAside')),
      [],
    );
  }
  assert.equal((await readdir(project.storage)).filter((name) => name.endsWith('.db')).length, 2);
  assert.equal((await project.records()).length, wishes.length);
  assert.deepEqual(
    project.charged().map(({ charges }) => charges),
    [1, 1, 1, 1],
  );
});
