import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.4","description":"","frontmatter":{"title":"Requirement 3.4","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.4.md","filePath":"site/pages/requirements/3.4.md"}');
const _sfc_main = { name: "requirements/3.4.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-34" tabindex="-1">Requirement 3.4 <a class="header-anchor" href="#requirement-34" aria-label="Permalink to &quot;Requirement 3.4&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a validly signed delivery whose <code>t</code> is in the future by more than the window, with status 400.</p></blockquote><p>MUST · Source: Interface 5.3, rules 4 and 6</p><p><strong>Prevents:</strong> a delivery stays replayable until the date that it states.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/just-outside-the-future"><code>just-outside-the-future</code></a></td><td>A delivery dated in the future can be replayed until that date has passed. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/time-window/a-year-ahead"><code>a-year-ahead</code></a></td><td>A delivery dated in the future can be replayed until that date has passed. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/time-window/ahead-by-2-to-the-32"><code>ahead-by-2-to-the-32</code></a></td><td>A delivery dated in the next century is accepted, because future times are not checked or the number is truncated to 32 bits. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.4.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_4 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_4 as default
};
