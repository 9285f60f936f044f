import { openModelForm } from '../editor/modelForm';
import { openConnected } from './connected';
import type { Row } from './row';
import { benchModel, startService } from './service';
import { typeLikeAPerson } from './typist';

/** 60 characters each, all with different beginnings, since a cached price wouldn't be requested. */
const prompts = [
  'A lighthouse on a cliff at sunset, calm sea and warm colours',
  'Seven paper boats on a dark pond, seen from above, ink, soft',
  'The old harbour in winter, snow on the nets, nobody outside.',
  'Mountains behind a quiet lake in the first light of a Monday',
  'Poster for a small circus, two colours, a dancing white bear',
  'Red kites over a yellow field, wide angle, in the late light',
  'Kitchen table with bread, salt and a blue jug, oil on canvas',
];

/** How often the price is requested while somebody types a prompt into the form. */
export async function quote(): Promise<Row[]> {
  const service = await startService();
  const workbench = await openConnected(service, {});
  try {
    const form = await openModelForm(workbench, benchModel);
    const prompt = form.getByRole('textbox', { name: /prompt/i });
    const priced = form.getByRole('button', { name: /^Render · €/, disabled: false });
    const asked: number[] = [];
    for (const [seed, text] of prompts.entries()) {
      await prompt.fill('');
      await priced.waitFor({ state: 'detached' });
      const before = service.quotes();
      await prompt.focus();
      await typeLikeAPerson(workbench.page, text, seed + 1);
      await priced.waitFor();
      asked.push(service.quotes() - before);
    }
    return [
      {
        what: 'requests for the price while 60 characters are typed',
        unit: 'requests',
        ours: asked,
        aim: { of: 'value', atMost: 3 },
      },
    ];
  } finally {
    await workbench.close();
    await service.stop();
  }
}
