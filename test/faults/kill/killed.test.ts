import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kills } from '../../extent';
import { openAccount } from './openAccount';
import { pointBefore, pointNames, points, type Kind, type Point, type UsualPoint } from './points';
import { Project } from './project';

const kinds: readonly Kind[] = ['picture', 'text', 'longText', 'failing', 'replacement'];
/** How many windows run concurrently, each with its own project. */
const atOnce = 2;
/** How many windows a project has until everything must have ended. */
const windowsEach = 16;
/** The share of windows in which two orders are confirmed together. */
const together = 0.3;
/** One in this many kills is at a random time instead of a named point. */
const anyTimeEach = 4;
/** After this many kills every point was covered, or is now aimed at. */
const enough = 2 * pointNames.length;

test(`a window killed ${kills} times pays once for each decision and loses nothing it paid for`, async (t) => {
  const { service, account } = await openAccount(t);
  const began = performance.now();
  const reached = new Set<UsualPoint>();
  const figures = { kills: 0, atAnyTime: 0, decisions: 0, unheard: 0 };
  const missed = () => (kills < enough ? [] : pointNames.filter((name) => !reached.has(name)));
  const goesOn = () => figures.kills < kills || (missed().length > 0 && figures.kills < 2 * kills);
  /**
   * A poll may miss a short-lived state, so that its point isn't reached. Aims at such points again, with up to as many
   * additional kills.
   */
  const next = endings(() => (figures.kills < kills ? pointNames : missed()));
  /** How long a window that isn't killed lives, ms. */
  let usualMs = 500;

  /** One more decision, or two, in a window that is killed at the point or at any time. */
  const killOne = async (project: Project, history: string[], kind: Kind, point: Point | undefined) => {
    project.wish(kind);
    // Sometimes the user confirms two together.
    if (Math.random() < together) project.wish(oneOf(kinds));
    const afterMs = Math.random() * usualMs;
    history.push(point ?? `after ${Math.round(afterMs)} ms`);
    const { killed, tookMs, unheard } = point
      ? await project.run({ killAt: { point, time: 1 } })
      : await project.run({}, undefined, (window) => setTimeout(() => window.kill(), afterMs));
    if (!killed) usualMs = tookMs;
    else if (point) reached.add(point as UsualPoint);
    else figures.atAnyTime++;
    if (killed) figures.kills++;
    figures.unheard += unheard;
  };
  const oneProject = async () => {
    const project = await Project.create(service, account);
    const history: string[] = [];
    try {
      while (history.length < windowsEach && goesOn()) {
        const { kind, point } = next();
        const before = point && pointBefore(point);
        if (before) await killOne(project, history, kind, before);
        await killOne(project, history, kind, point);
      }
      history.push('to the end');
      assert.equal((await project.run()).killed, false);
      await project.checkEnd();
    } catch (error) {
      throw new Error(`In ${project.folder}, windows killed at: ${history.join(' · ')}`, { cause: error });
    }
    figures.decisions += project.wishes.length;
    await project.remove();
  };
  const worker = async () => {
    while (goesOn()) await oneProject();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));

  assert.equal(account.all().length, figures.decisions, 'nothing was charged that nobody decided');
  const seconds = Math.round((performance.now() - began) / 1000);
  t.diagnostic(
    `${figures.kills} kills (${figures.atAnyTime} of them at any time), ${figures.decisions} decisions, as many charges, ${figures.unheard} answers to an order that no window lived to record, ${seconds} s`,
  );
  if (kills < enough) return;
  assert.deepEqual(missed(), [], 'what is not reached is not tested');
  assert.ok(figures.unheard > 0, 'some answers were lost');
});

/** What is ordered next, and where its window ends: every point in turn, in a new order each time, and random times. */
function endings(
  aimedAt: () => readonly UsualPoint[],
): () => { readonly kind: Kind; readonly point?: UsualPoint | undefined } {
  let left: UsualPoint[] = [];
  let given = 0;
  return () => {
    if (++given % anyTimeEach === 0) return { kind: oneOf(kinds) };
    if (left.length === 0) left = shuffled(aimedAt());
    const point = left.pop();
    return { kind: oneOf(point ? points[point] : kinds), point };
  };
}

function oneOf<T>(choices: readonly T[]): T {
  return choices[Math.floor(Math.random() * choices.length)]!;
}

function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ thing }) => thing);
}
