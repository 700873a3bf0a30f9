// Talks to the server's plain routes. Every failure becomes an Error with a sentence to show.
import { missed } from './connection.js';
import { state } from './state.js';
import { say } from './texts.js';

function lost() {
  missed();
  return new Error(say('errors.no_answer'));
}

// `patience` is how long to wait for the answer, in milliseconds; for ever where it is not given.
export async function call(method, path, body, patience) {
  const late = patience && AbortSignal.timeout(patience);
  const answer = await asked(method, path, body, late).catch((error) => {
    throw late?.aborted ? lost() : error;
  });
  try {
    return isJson(answer) ? await answer.json() : await answer.text();
  } catch {
    throw lost();
  }
}

// The answer to a request, once the server has taken it.
async function asked(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    throw signal?.aborted ? error : lost();
  }
  if (!answer.ok) {
    const content = isJson(answer) ? await answer.json().catch(() => null) : null;
    const error = new Error(sentence(content, answer.status));
    error.status = answer.status;
    throw error;
  }
  return answer;
}

const isJson = (answer) => (answer.headers.get('content-type') || '').includes('json');

// Passes on the objects of an answer that comes in lines, up to the one that says `ended`, or only
// the first where it may not stay. Raises an Error where it breaks off before; one with a status
// where the server refused.
export async function listen(path, body, signal, receive, stays = true) {
  const answer = await asked('POST', path, body, signal);
  const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await lines.read();
      if (done) break;
      const whole = (rest + value).split('\n');
      rest = whole.pop();
      for (const line of whole) {
        const drawing = JSON.parse(line);
        receive(drawing);
        if (drawing.ended || !stays) return;
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof TypeError)) throw error;
  } finally {
    lines.cancel().catch(() => {});
  }
  throw lost();
}

const sentence = (content, status) =>
  typeof content?.detail === 'string' ? content.detail : say('errors.refused', { status });

export const own = (part = '') => `/conversations/${state.handle}${part ? '/' + part : ''}`;

// Sends a file as it is, telling how far it is; `progress` gets 0..1. `path` is where it goes.
export function upload(file, progress, path = `${own('files')}?`) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${path}name=${encodeURIComponent(file.name || 'file')}`);
    request.responseType = 'json';
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Error(sentence(request.response, request.status)));
    request.onerror = () => reject(lost());
    request.send(file);
  });
}
