// Takes for ever, as a thread that reads a document must not.
for (;;);
