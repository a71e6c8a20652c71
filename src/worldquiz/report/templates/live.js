// A page of a run that goes on reads itself again, but not while somebody is at work on it.
(() => {
  const box = document.getElementById("live"), every = Number(box.value) * 1000;
  let touched = 0;
  for (const name of ["pointerdown", "keydown", "wheel"]) addEventListener(name, () => { touched = Date.now(); }, { passive: true });
  setInterval(() => {
    if (box.checked && !document.hidden && Date.now() - touched > every) location.reload();
  }, every);
})();
