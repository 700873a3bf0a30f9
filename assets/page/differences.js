// Puts drawings together of what has changed in them: see controlllm/ui/differences.py.
export class Drawn {
  parts = [];

  // The whole HTML after one more message, or nothing where that has none.
  after({ html, lengths, changed }) {
    if (html !== undefined) {
      let at = 0;
      this.parts = (lengths || [html.length]).map((length) => html.slice(at, at += length));
    } else if (changed) {
      for (const [place, start, end, between] of changed) {
        const old = this.parts[place];
        this.parts[place] = old.slice(0, start) + between + old.slice(old.length - end);
      }
    } else {
      return '';
    }
    return this.parts.join('');
  }
}
