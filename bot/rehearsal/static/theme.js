// The theme: the system's unless the viewer chose one. A plain script, so that it runs before anything is painted. It
// runs in the start page and in every frame; they share the choice through the storage.
(() => {
  const light = window.matchMedia("(prefers-color-scheme: light)");

  function chosen() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  function apply() {
    document.documentElement.dataset.theme = chosen() ?? (light.matches ? "light" : "dark");
    document.dispatchEvent(new Event("themechange"));
  }

  window.bourseTheme = {
    now: () => document.documentElement.dataset.theme,
    choose(theme) {
      try {
        // Do not store the system's own theme, so that the page keeps following it.
        if (theme === (light.matches ? "light" : "dark")) localStorage.removeItem("theme");
        else localStorage.setItem("theme", theme);
      } catch {
        // Without storage, the choice holds only for this page.
      }
      document.documentElement.dataset.theme = theme;
      document.dispatchEvent(new Event("themechange"));
      for (const frame of document.querySelectorAll("iframe")) {
        if (frame.contentDocument) frame.contentDocument.documentElement.dataset.theme = theme;
      }
    },
  };
  light.addEventListener("change", apply);
  window.addEventListener("storage", apply);
  apply();
})();
