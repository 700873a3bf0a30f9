// Sets the colours before anything is drawn, so that a dark page never flashes white.
(() => {
  const wanted = () => {
    try { return localStorage.getItem('controlllm-theme') || 'system'; } catch { return 'system'; }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const choice = wanted();
    const dark = choice === 'dark' || (choice === 'system' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  system.addEventListener('change', apply);
  window.controlllmTheme = {
    wanted,
    set(choice) {
      try { localStorage.setItem('controlllm-theme', choice); } catch { /* private window */ }
      apply();
    },
  };
  apply();
})();
