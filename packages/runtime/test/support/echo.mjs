import { parentPort } from 'node:worker_threads';

// Echoes each message, in a thread and in a process.
if (parentPort === null) process.on('message', (message) => process.send(message));
else parentPort.on('message', (message) => parentPort.postMessage(message));
