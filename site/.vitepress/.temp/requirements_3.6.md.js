import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.6","description":"","frontmatter":{"title":"Requirement 3.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.6.md","filePath":"site/pages/requirements/3.6.md"}');
const _sfc_main = { name: "requirements/3.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-36" tabindex="-1">Requirement 3.6 <a class="header-anchor" href="#requirement-36" aria-label="Permalink to &quot;Requirement 3.6&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a replay that combines a fresh <code>t</code> with an old signature, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 6</p><p><strong>Prevents:</strong> an attacker replays an old delivery with a new time.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/fresh-t-before-an-old-signature"><code>fresh-t-before-an-old-signature</code></a></td><td>An attacker can replay any old delivery by putting a new <code>t</code> before its signature.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_6 as default
};
