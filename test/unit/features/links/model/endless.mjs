// Never ends, as a thread that parses a document must not.
for (;;);
