import type { AgentTool } from './agentTools';

/** The most items in one call. */
export const mostItems = 20;

const items = {
  type: 'array',
  minItems: 1,
  maxItems: mostItems,
  description: 'What to render. Put everything into one call.',
  items: {
    type: 'object',
    required: ['modelId', 'inputs'],
    additionalProperties: false,
    properties: {
      modelId: { type: 'string', description: 'Model ID, from the list of models.' },
      inputs: {
        type: 'object',
        description:
          'Inputs by field name, as listed with the model. An image is the path of a file in the project, the ID of an earlier render, an https URL, or a data URL. Where an input takes several, give a list.',
      },
      style: {
        type: 'string',
        description:
          'Name of one of the project’s styles, as listed with the model. It adds words to the prompt and sets inputs.',
      },
      file: {
        type: 'string',
        description:
          'Path for the result: absolute, or relative to the folder you work in, such as docs/hero.png. Existing files are never replaced.',
      },
      document: { type: 'string', description: 'Path of a document. The response then includes a link for it.' },
    },
  },
};

function object(properties: object, ...required: string[]): object {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 && { required }) };
}

/** The tools as described to agents. */
export const toolList: readonly AgentTool[] = [
  {
    name: 'listModels',
    description:
      'Lists models that render images or text, at most 20, or with modelId the fields of one model. Free. Prices depend on the inputs, so get a quote.',
    inputSchema: object({
      search: { type: 'string', description: 'Words in the ID, title, or description.' },
      kind: { type: 'string', enum: ['image', 'text'] },
      modelId: { type: 'string', description: 'Lists the fields of this model instead.' },
    }),
  },
  {
    name: 'quote',
    description:
      'Gets the exact price of each item, their sum, the balance, and the agents’ remaining allowance. Free: nothing is rendered.',
    inputSchema: object({ items }, 'items'),
  },
  {
    name: 'render',
    description:
      'Renders images or text, charged to the user’s balance. VS Code asks the user to confirm the price, unless they granted agents an allowance that covers it. Get a quote first, and put all items into one call. If the user declines, that’s final: never call it again unless they ask you to. Identical items join the existing render, unless again is true.',
    inputSchema: object(
      {
        items,
        again: { type: 'boolean', description: 'Only if the user wants exactly the same render a second time.' },
      },
      'items',
    ),
  },
  {
    name: 'checkRenders',
    description: 'Gets the status of earlier renders by their IDs. Free.',
    inputSchema: object(
      {
        ids: { type: 'array', minItems: 1, maxItems: mostItems, items: { type: 'string' } },
        images: { type: 'boolean', description: 'Also return the images.' },
      },
      'ids',
    ),
  },
  {
    name: 'findMissingImages',
    description:
      'Finds links to images that don’t exist in Markdown, HTML, and other documents, with the alt text as a prompt. Free.',
    inputSchema: object({
      path: { type: 'string', description: 'A document or folder. Without it, the entire workspace is searched.' },
    }),
  },
];
