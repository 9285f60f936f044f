// Ends when it's told to, so that a test sees how many are at work.
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';

const name = workerData.text.trim();
const channel = new BroadcastChannel('parsing');
channel.onmessage = ({ data }) => {
  if (data === `end ${name}`) parentPort.postMessage([]);
};
channel.postMessage(name);
