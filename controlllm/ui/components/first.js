// Runs before all else: Gradio speaks the browser's language, and one that was chosen counts first.
(() => {
  const chosen = /(?:^|; )controlllm-language=([a-z]+)/.exec(document.cookie)?.[1];
  if (!chosen) return;
  Object.defineProperty(navigator, 'language', { get: () => chosen });
  Object.defineProperty(navigator, 'languages', { get: () => [chosen] });
})();
