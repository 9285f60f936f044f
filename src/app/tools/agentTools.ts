/** A tool an agent may call, as it's described to agents. Its words are for models: English, and never translated. */
export interface AgentTool {
  /** 'listModels' | 'quote' | 'render' | 'checkRenders' | 'findMissingImages' */
  readonly name: string;
  readonly description: string;
  /** JSON Schema, of type `object`. */
  readonly inputSchema: object;
}

/** Who calls, and how long they wait. */
export interface AgentCall {
  /** Who the agent says it is: a claim, shown as one. */
  readonly agent: string;
  /** Fires when the agent no longer waits. */
  readonly signal: AbortSignal;
  /** Hears what is going on, in words. */
  progress?(words: string): void;
  /** Answers by then (ms) with what is known, as that a person is still being asked. */
  readonly answerWithin?: number;
  /** Absolute path of the folder the agent works in. */
  readonly folder?: string;
}

/** A saved image. */
export interface AgentImage {
  readonly mimeType: string;
  readonly data: Uint8Array;
  /** Its absolute path. */
  readonly file: string;
}

/** What an agent is told. */
export interface AgentResult {
  /** Words that an agent obeys. */
  readonly text: string;
  readonly structured?: object;
  readonly images?: readonly AgentImage[];
  /** For what went wrong in us alone: a refusal is a result. */
  readonly isError?: boolean;
}

/** What agents can do here. No approval of theirs spends: a person is asked, or has granted an allowance. */
export interface AgentTools {
  readonly tools: readonly AgentTool[];
  /** Never rejects for what the agent gave, nor for a person's no. */
  call(name: string, input: unknown, call: AgentCall): Promise<AgentResult>;
}
