// Talks to the server's plain routes. Every failure becomes an Error with a sentence to show.
import { state } from './state.js';

const LOST = 'The server does not answer. Is it still running? Then try again.';

export async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error(LOST);
  }
  const isJson = (answer.headers.get('content-type') || '').includes('json');
  const content = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) {
    const error = new Error(sentence(content, answer.status));
    error.status = answer.status;
    throw error;
  }
  return content;
}

const sentence = (content, status) =>
  typeof content?.detail === 'string' ? content.detail : `The server refused this (${status}).`;

export const own = (part = '') => `/conversations/${state.handle}${part ? '/' + part : ''}`;

// Sends a file as it is, telling how far it is; `progress` gets 0..1.
export function upload(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${own('files')}?name=${encodeURIComponent(file.name || 'file')}`);
    request.responseType = 'json';
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Error(sentence(request.response, request.status)));
    request.onerror = () => reject(new Error(LOST));
    request.send(file);
  });
}
