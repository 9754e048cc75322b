// Lines of JSON over a pair of streams.

// Calls `onMessage` for every line of the stream. A long line is put together once, when it is whole.
export function readMessages(stream, onMessage) {
  let parts = [];
  stream.on('data', (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      onMessage(JSON.parse(Buffer.concat(parts).toString()));
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
}

export function writeMessage(stream, message) {
  stream.write(`${JSON.stringify(message)}\n`);
}

// What a process has written there so far, cut at 2,000 characters: for the message of an error.
export function lastWords(stream) {
  let text = '';
  stream.on('data', (chunk) => {
    if (text.length < 2000) text += chunk;
  });
  return () => text.trim().slice(0, 2000);
}
