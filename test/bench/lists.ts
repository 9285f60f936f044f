import { systemClock } from '../../src/base/clock';
import { silentLog } from '../../src/base/log';
import { GalleryConversation } from '../../src/features/gallery/model/galleryConversation';
import { groupGenerations } from '../../src/features/generations/model/generationGroups';
import { SpendConversation } from '../../src/features/spending/model/spendConversation';
import { englishGalleryStrings } from '../../src/features/gallery/page/galleryMessages';
import { englishSpendStrings, type Period } from '../../src/features/spending/page/spendMessages';
import { realFolder } from '../../src/files/disk';
import { Budgets } from '../../src/renders/limits';
import type { Library } from '../../src/renders/library';
import type { Renderer } from '../../src/renders/renderer';

const project = 'file:///project';
const nobody = () => Promise.resolve();

/** The spending page for a period. */
function spending(library: Library, period: Period): Promise<void> {
  return new Promise((resolve) => {
    const page = new SpendConversation({
      ...{ library, clock: systemClock, log: silentLog, strings: englishSpendStrings, locale: 'en' },
      modelNames: () => Promise.resolve((id: string) => id),
      ...{ connection: () => undefined, save: nobody, openModel: () => undefined, isShown: () => true },
      post: ({ type }) => {
        if (type !== 'report') return;
        page.dispose();
        resolve();
      },
    });
    page.receive({ type: 'choosePeriod', period });
  });
}

/** What each list, page, and figure first shows of the history. */
export const firstPages = {
  'Generations view': (library: Library) => {
    groupGenerations(library.entries, Date.now());
    library.countOlder();
  },
  gallery: (library: Library) => {
    const gallery = new GalleryConversation({
      ...{ library, clock: systemClock, log: silentLog, strings: englishGalleryStrings, locale: 'en', actions: [] },
      ...{ folders: () => [project], standing: () => '', story: () => undefined },
      ...{ nameOf: (modelId: string) => modelId, address: (file: string) => file, waiting: () => undefined },
      ...{ thumbnail: () => undefined, given: () => undefined, sizeOf: () => Promise.resolve(0) },
      ...{ makeThumbnail: () => Promise.resolve(), dropThumbnail: () => Promise.resolve() },
      ...{ price: () => undefined, spokenPrice: () => undefined, more: () => '', post: () => {} },
      ...{ act: nobody, compare: nobody, remove: nobody, openModel: nobody, showOlder: nobody },
    });
    gallery.receive({ type: 'ready' });
    gallery.dispose();
  },
  spending: (library: Library) => spending(library, 'month'),
  'spending of all time': (library: Library) => spending(library, 'all'),
  'sums of the status bar': (library: Library) => {
    library.spentSince(Date.now() - 86_400_000);
    library.spentFor([project]);
  },
  'limits of a render': (library: Library) => {
    const limits = { budgetPerDay: () => 1000, budgetPerProject: () => 1000, unreadable: () => undefined };
    const renderer = undefined as unknown as Renderer;
    new Budgets(renderer, library, () => undefined, limits, systemClock, realFolder).of({ root: project });
  },
} satisfies Record<string, (library: Library) => unknown>;

export type ListName = keyof typeof firstPages;
