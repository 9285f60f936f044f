/** What a user answers: these images may be sent, all of the open folders may, or none. */
export const sendAnswers = ['these', 'all', 'none'] as const;
export type SendAnswer = (typeof sendAnswers)[number];

/** An image that would leave the project. All texts are plain text, never markup. */
export interface ImageToSend {
  readonly path: string;
  readonly size: string;
  /** Of exactly the bytes that would be sent. Valid only in this webview. */
  readonly address: string;
}

/** The question which images may be sent, in the editor's language. */
export interface SendWords {
  readonly question: string;
  /** Who wants them, and the service that would get them. */
  readonly facts: readonly string[];
  readonly explanation: string;
  readonly answers: Readonly<Record<SendAnswer, string>>;
}

/** To the page: the question, and the images that it is about. */
export interface SendQuestion extends SendWords {
  readonly images: readonly ImageToSend[];
  /** False until a user can have read it: then an answer counts. */
  readonly canAnswer: boolean;
}

/** From the page: it's there, or what the user answers. */
export type FromSend = { readonly type: 'ready' } | { readonly type: 'answer'; readonly answer: SendAnswer };
