/** Passes on each message of the host. Drops unknown ones, with a line in the page's console. */
export function listen<Message>(
  read: (data: unknown) => Message | undefined,
  receive: (message: Message) => void,
): void {
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = read(data);
    if (message) receive(message);
    else console.warn('Ignored an unknown message.');
  });
}
