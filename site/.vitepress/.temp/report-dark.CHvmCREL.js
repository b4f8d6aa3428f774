const _imports_0 = "/hookproof/assets/report-light.v3EgrUwA.png";
const _imports_1 = "/hookproof/assets/report-dark.DsSyC4l6.png";
export {
  _imports_0 as _,
  _imports_1 as a
};
